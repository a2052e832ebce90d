import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Asked } from "../../ui/dialogs/confirm.tsx";
import { type Closes, Drawer } from "../../ui/dialogs/dialog.tsx";
import {
  ChannelFacts,
  ErrorSection,
  KeysSection,
  ModelsSection,
  Section,
} from "./channel-sections.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { CHANNELS_PATH } from "./paths.ts";
import { ReviveButton } from "./revive-button.tsx";
import { TestPanel } from "./test-panel.tsx";
import { vendorName } from "./vendors.ts";

export function ChannelDrawer({ channel, onClose }: Closes & { readonly channel: Channel }) {
  const { t } = useSpeech();
  const [editing, setEditing] = useState(false);
  const running = channel.state !== "broken";
  const own = channel.origin === "console";
  // One panel at a time: the dialog takes the place of the drawer until it is closed.
  if (editing) return <EditDialog channel={channel} onClose={() => setEditing(false)} />;
  return (
    <Drawer
      onClose={onClose}
      title={channel.name}
      description={vendorName(channel.vendor, t("channels.vendor_custom"))}
      footer={
        <>
          {own && <DeleteButton channel={channel} onDone={onClose} />}
          {running && <ReviveButton channel={channel} />}
          {own && <Button onClick={() => setEditing(true)}>{t("words.edit")}</Button>}
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {channel.problem && <Notice tone="bad">{channel.problem}</Notice>}
        {!own && channel.origin !== "sandbox" && <Notice>{t("channels.changedElsewhere")}</Notice>}
        {channel.state === "untried" && <Notice>{t("channels.untriedHint")}</Notice>}
        <ChannelFacts channel={channel} />
        <ErrorSection channel={channel} />
        {running && (
          <Section title={t("channels.test")}>
            <TestPanel channel={channel} />
          </Section>
        )}
        {running && <KeysSection channel={channel} />}
        {running && (
          <ModelsSection channel={channel} onEdit={own ? () => setEditing(true) : undefined} />
        )}
      </div>
    </Drawer>
  );
}

interface DeleteButtonProps {
  readonly channel: Channel;
  readonly onDone: () => void;
}

function DeleteButton({ channel, onDone }: DeleteButtonProps) {
  const { t } = useSpeech();
  const { id, name } = channel;
  return (
    <Asked
      button={{ kind: "danger", className: "mr-auto" }}
      icon={<Trash2 size={15} />}
      title={t("channels.deleteTitle", { name })}
      action={t("words.delete")}
      call={() => api.delete(`${CHANNELS_PATH}/${id}`)}
      refresh={[CHANNELS_PATH, "/api/me"]}
      done={t("channels.deleted", { name })}
      onDone={onDone}
    >
      {t("channels.deleteHint")}
    </Asked>
  );
}
