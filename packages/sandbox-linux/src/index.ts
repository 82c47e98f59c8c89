export type { Rung, RungReport, RungRequest } from "./rung.js";
