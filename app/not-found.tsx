import { buttonLook } from "@/app/ui/button-look";

/** Every page loads this code too, so it is kept to plain elements. */
export default function NotFound() {
  return (
    <main className="flex flex-col items-center gap-3 px-4 py-24 text-center">
      <h1 className="font-semibold text-title">Page not found</h1>
      <p className="text-muted">Check the link.</p>
      <span className="flex gap-2">
        <a href="/sign-in" className={buttonLook()}>
          Sign in
        </a>
        <a href="/docs" className={buttonLook()}>
          Read the docs
        </a>
      </span>
    </main>
  );
}
