// The official TypeScript client calls tools through the proxy: node client.mjs MODE ACTION CALLS COMMAND..., or URL TOKEN
// in the place of COMMAND where the server is reached by HTTP.
// ACTION is what the person does who is asked, "" where the client can ask nobody, "late" where the client gives the
// call up while it asks, and the person agrees all the same. Prints what came of each call.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [mode, action, calls, command, ...args] = process.argv.slice(2);
const versionNegotiation = { mode: ["legacy", "auto"].includes(mode) ? mode : { pin: mode } };
const capabilities = action ? { elicitation: {} } : {};
const client = new Client({ name: "test", version: "1" }, { versionNegotiation, capabilities });
const asked = [];
let giveUp;
if (action) {
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params.message);
    if (action === "late") {
      giveUp.abort();
      await new Promise((done) => setTimeout(done, 50));
      return { action: "accept", content: {} };
    }
    return action === "accept" ? { action, content: {} } : { action };
  });
}
const headers = { Authorization: `Bearer ${args[0]}` };
const transport = command.startsWith("http:")
  ? new StreamableHTTPClientTransport(new URL(command), { requestInit: { headers } })
  : new StdioClientTransport({ command, args, env: process.env });
await client.connect(transport);
const { tools } = await client.listTools();
const found = [];
for (const [name, call] of JSON.parse(calls)) {
  giveUp = new AbortController();
  try {
    const { isError, content } = await client.callTool({ name, arguments: call }, { signal: giveUp.signal });
    found.push((isError ? "error: " : "") + content[0].text);
  } catch (error) {
    found.push(`raised: ${error.message}`);
  }
}
await client.close();
console.log(JSON.stringify({ found, asked, tools }));
