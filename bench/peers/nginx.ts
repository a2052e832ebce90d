// nginx as the floor: it passes bytes on and knows nothing of models.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../children.ts";
import { chatServer, Missing, type Peer } from "./peer.ts";
import { programOf, runTool } from "./tools.ts";

function settings(port: number, vendorPort: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path temporary;`)
    .join(" ");
  return `
daemon off;
pid nginx.pid;
error_log stderr warn;
worker_processes 1;
events { worker_connections 4096; }
http {
  access_log off;
  ${temporary}
  keepalive_requests 1000000000;
  upstream vendor { server 127.0.0.1:${vendorPort}; keepalive 128; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://vendor;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`;
}

/** The installed one, or that of the distribution's package, unpacked and not installed. */
async function programIn(folder: string): Promise<string> {
  const unpacked = join(folder, "unpacked/usr/sbin/nginx");
  if (existsSync(unpacked)) return unpacked;
  const installed = Bun.which("nginx");
  if (installed !== null) return installed;
  if (Bun.which("apt-get") === null) throw new Missing("nginx is not on the PATH");
  await runTool([programOf("apt-get"), "download", "nginx"], folder);
  const archive = readdirSync(folder).find((name) => name.endsWith(".deb"));
  if (archive === undefined) throw new Missing("apt-get downloaded no package of nginx");
  await runTool([programOf("dpkg-deb"), "-x", archive, "unpacked"], folder);
  if (!existsSync(unpacked)) throw new Missing("the package of nginx holds no program");
  return unpacked;
}

export const nginx: Peer = {
  id: "nginx",
  title: "nginx",
  books: "none: passes bytes",
  async install({ folder }) {
    const program = await programIn(folder);
    // It prints its version as a complaint.
    const said = await runTool(["sh", "-c", '"$0" -v 2>&1', program], folder);
    return { version: /nginx\/([\d.]+)/.exec(said)?.[1] ?? said, runtime: "C" };
  },
  async start({ children, folder, vendorPort }) {
    const port = freePort();
    mkdirSync(join(folder, "temporary"), { recursive: true });
    writeFileSync(join(folder, "nginx.conf"), settings(port, vendorPort));
    const command = [await programIn(folder), "-p", `${folder}/`, "-c", "nginx.conf"];
    return chatServer(children, children.launch("nginx", command, port, {}, folder));
  },
};
