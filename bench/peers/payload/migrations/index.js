import { down, up } from "./initial.js";

/** Made with `payload migrate:create`. */
export const migrations = [{ name: "initial", up, down }];
