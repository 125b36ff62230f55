import { release, type } from "node:os";

/** Kernel and its version for reports, such as `Linux 6.1.0`, without the marks of whoever built it. */
export const systemName = () => `${type()} ${release().split("-", 1)[0]}`;
