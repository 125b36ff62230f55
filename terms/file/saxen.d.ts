declare module "saxen" {
  type Decode = (text: string) => string;
  /** The parts of the parser that are used here. */
  export class Parser {
    on(
      event: "openTag",
      call: (name: string, attributes: () => Record<string, string>, decode: Decode) => void,
    ): this;
    on(event: "closeTag", call: (name: string) => void): this;
    on(event: "text", call: (text: string, decode: Decode) => void): this;
    on(event: "cdata", call: (text: string) => void): this;
    on(event: "error", call: (error: Error) => void): this;
    parse(xml: string): void;
  }
}
