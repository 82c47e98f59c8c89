// The floor against every promise of its port. What is only its own is in the tests beside.
import { describeSandbox } from "@harness/testing/sandbox";
import { floor } from "./index.js";

describeSandbox("floor", { open: () => floor() });
