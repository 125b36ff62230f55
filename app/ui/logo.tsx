/** The same as `icon.svg`. */
export function Logo({ size }: { size: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" fill="none" className="shrink-0">
      <rect width="32" height="32" rx="8" fill="#4f46e5" />
      <g strokeWidth="2.5" strokeLinecap="round" strokeLinejoin="round">
        <path d="M7 11h9.5M7 16h6.5M7 21h9.5" stroke="#c7d2fe" />
        <path d="m18.5 11 5.5 5-5.5 5" stroke="#fff" />
      </g>
    </svg>
  );
}
