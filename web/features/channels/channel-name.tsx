import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import type { Page } from "../../../src/lib/contract.ts";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { CHANNELS_PATH } from "./paths.ts";

/** The name of a channel by its id. Operators gave it; a channel that was deleted has its id only. */
export function ChannelName({ id }: { readonly id: string }) {
  const { me } = useSession();
  const { data } = useResource<Page<Channel>>(CHANNELS_PATH, {}, { enabled: me.operator });
  const channel = data?.data.find((one) => one.id === id);
  if (!channel) return <span className="font-mono text-[13px] break-all">{id}</span>;
  return (
    <span className="break-words" title={id}>
      {channel.name}
    </span>
  );
}
