/** What the tests use of the package, which has no types. */
declare module "solc" {
  const compiler: {
    compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
  };
  export default compiler;
}
