import { release, type } from "node:os";

/** The kernel and its version for reports, such as `Linux 6.1.0`, without build suffixes. */
export const systemName = () => `${type()} ${release().split("-", 1)[0]}`;
