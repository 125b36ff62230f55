export const SkipLink = () => (
  <a
    href="#main"
    className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control
      bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0 print:hidden"
  >
    Skip to content
  </a>
);
