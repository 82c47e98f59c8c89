// Attacks over the network and over sockets of this machine. The listeners are the scene's own, on the loopback interface: nothing
// here leaves the machine, wherever it gets through.
import { type Attack, type Attempt, attack } from "./attack.js";
import { claims } from "./claims.js";
import { counting, type SceneListeners } from "./listeners.js";

const { egress, unixSockets } = claims;

type Counter = Exclude<keyof SceneListeners, symbol>;

function reached(counter: Counter, what: string) {
  return async ({ scene }: Attempt): Promise<string | undefined> => {
    await counting();
    return scene.listeners[counter].hits() > 0 ? `reached ${what}` : undefined;
  };
}

const onHost = "a listener of the machine";

/** Dials `where`, in Node source; says how it went. */
const dial = (where: string) => `"$NODE" -e 'require("net").connect(${where}).setTimeout(4000, () => process.exit())
  .on("data", () => process.exit()).on("error", (error) => console.log(error.code))'`;

/** 262 is MPTCP. */
const dialMultipath = `import socket, os
s = socket.socket(2, 1, 262)
s.settimeout(4)
s.connect(("127.0.0.1", int(os.environ["TCP"])))`;

/** 0x20000000 asks the kernel to connect while it sends, so that nobody calls `connect`. */
const dialFastOpen = `import socket, os
s = socket.socket(2, 1)
s.settimeout(4)
s.sendto(b"x", 0x20000000, ("127.0.0.1", int(os.environ["TCP"])))
s.recv(1)`;

const sendPacket = `require("dgram").createSocket("udp4").on("error", () => process.exit())
  .send("x", Number(process.env.UDP), "127.0.0.1", () => process.exit())`;

const lookUp = `const resolver = new (require("dns").Resolver)({ timeout: 200, tries: 1 });
  resolver.setServers(["127.0.0.1:" + process.env.UDP]);
  resolver.resolve4("a-secret.example", () => process.exit())`;

export const networkAttacks: readonly Attack[] = [
  attack({
    id: "dial-tcp",
    title: "connect to a port of the machine",
    line: dial(`Number(process.env.TCP), "127.0.0.1"`),
    claims: [egress],
    breach: reached("tcp", onHost),
  }),
  attack({
    id: "send-udp",
    title: "send a packet to a port of the machine",
    line: `"$NODE" -e '${sendPacket}'`,
    claims: [egress],
    breach: reached("udp", onHost),
  }),
  attack({
    id: "look-up-name",
    title: "carry out a secret in the name that it looks up",
    line: `"$NODE" -e '${lookUp}'`,
    claims: [egress],
    breach: reached("udp", "a name server"),
  }),
  attack({
    id: "dial-multipath",
    title: "connect by multipath TCP, which rules for TCP may overlook",
    line: `"$PYTHON" -c '${dialMultipath}'`,
    claims: [egress],
    needs: ["linux", "python3"],
    breach: reached("tcp", onHost),
  }),
  attack({
    id: "dial-fast-open",
    title: "connect by sending, which rules for connecting may overlook",
    line: `"$PYTHON" -c '${dialFastOpen}'`,
    claims: [egress],
    needs: ["linux", "python3"],
    breach: reached("tcp", onHost),
  }),
  attack({
    id: "dial-unix-socket",
    title: "connect to a unix socket of the user's, as an agent or a container daemon has",
    line: dial(`process.env.OUT + "/agent.sock"`),
    claims: [unixSockets],
    breach: reached("unix", "a socket of the user's"),
  }),
  attack({
    id: "dial-abstract-socket",
    title: "connect to a unix socket without a file, which no rule for files covers",
    line: dial(`"\\0" + process.env.ABSTRACT`),
    claims: [unixSockets],
    needs: ["linux"],
    breach: reached("abstract", "a socket of the user's"),
  }),
];
