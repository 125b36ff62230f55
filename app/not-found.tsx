import { buttonLook } from "./ui/button";

/** Every page loads this one's code with its own, so it is kept to plain elements. */
export default function NotFound() {
  return (
    <main className="flex flex-col items-center gap-3 px-4 py-24 text-center">
      <h1 className="font-semibold text-title">There is nothing at this address</h1>
      <p className="text-muted">Check the link, or start from the list of batches.</p>
      <a href="/batches" className={buttonLook()}>
        All batches
      </a>
    </main>
  );
}
