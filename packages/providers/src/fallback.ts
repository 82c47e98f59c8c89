export { type FallbackLink, fallback } from "./fallback/fallback.js";
