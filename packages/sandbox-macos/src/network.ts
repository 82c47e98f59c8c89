// Who a command may speak to. Closed means closed, this machine's own ports and the sockets in the file system included: behind
// those are daemons that do what they are told.

/** Programs ask it for the addresses of hosts. */
const resolver = "com.apple.dnssd.service";
const resolverSocket = "/private/var/run/mDNSResponder";

export function networkRules(egress: "deny" | "allow"): readonly string[] {
  if (egress === "deny") return ["(deny network*)", `(deny mach-lookup (global-name "${resolver}"))`];
  return [
    // Docker, Podman, the agents of ssh and gpg, wherever they put their socket.
    "(deny network-outbound (remote unix-socket))",
    `(allow network-outbound (remote unix-socket (path-literal "${resolverSocket}")))`,
  ];
}
