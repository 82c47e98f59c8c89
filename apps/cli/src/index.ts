#!/usr/bin/env node
// The binary: nothing but the command line, and its exit code.
import { main } from "./main.js";
import { leave, processTerminal, tolerateClosedPipes } from "./process-terminal.js";

tolerateClosedPipes();
leave(await main(process.argv.slice(2), processTerminal()));
