import { describe, expect, mock, test } from "bun:test";
import { arraysHeld } from "../../../test/support/vendors/arrays-held.ts";
import {
  type AnswerCase,
  type Outcome,
  RIGHT_ANSWERS,
  WRONG_ANSWERS,
} from "../../../test/support/vendors/http1-answers.ts";
import { playedConnection } from "../../../test/support/vendors/played-connection.ts";
import { outcomeOf } from "../../../test/support/vendors/transports.ts";

/** What becomes of an answer that comes in pieces which end at these places. */
async function cutAt({ bytes, ending }: AnswerCase, cuts: readonly number[]): Promise<Outcome> {
  const { connection, call, receive } = playedConnection();
  const outcome = outcomeOf(call);
  receive(Buffer.from(bytes, "latin1"), cuts);
  if (ending === "ends") connection.ended();
  if (ending !== "stays") connection.closed(ending === "resets" ? new Error("reset") : undefined);
  const became = await outcome;
  return "failed" in became ? "failed" : became;
}

describe("an answer that is cut", () => {
  test.each([...RIGHT_ANSWERS, ...WRONG_ANSWERS])("at every byte: $name", async (each) => {
    const places = Array.from(each.bytes, (_, at) => at + 1);
    for (const place of places) expect(await cutAt(each, [place])).toEqual(each.own);
    expect(await cutAt(each, places)).toEqual(each.own);
  });

  test("in chunks of every size comes as the bytes that it had", async () => {
    const body = Buffer.from(Array.from({ length: 600 }, (_, at) => at % 251));
    for (let size = 1; size < 40; size++) {
      let framed = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
      for (let at = 0; at < body.length; at += size) {
        const piece = body.subarray(at, at + size);
        framed += `${piece.length.toString(16)}\r\n${piece.toString("latin1")}\r\n`;
      }
      const { call, receive, state } = playedConnection();
      receive(Buffer.from(`${framed}0\r\n\r\n`, "latin1"), [17, 60, 61, 300, 1_000]);
      const answer = await call.answered;
      const got: Uint8Array[] = [];
      for (let chunk = await answer.read(); chunk; chunk = await answer.read()) got.push(chunk);
      expect(Buffer.concat(got).equals(body)).toBe(true);
      expect(state.kept).toBe(1);
    }
  });
});

describe("a head", () => {
  const head = (bytes: number) => `HTTP/1.1 200 OK\r\nx: ${"y".repeat(bytes - 24)}\r\n\r\n`;

  test.each([[[]], [[1]], [[900, 1_000]]])(
    "may be as long as the limit, cut at %p",
    async (cuts) => {
      const { call, receive, connection } = playedConnection(1_024);
      const outcome = outcomeOf(call);
      receive(Buffer.from(head(1_024)), cuts);
      connection.ended();
      connection.closed(undefined);
      expect(await outcome).toEqual({ status: 200, text: "" });
    },
  );

  test.each([[[]], [[1]], [[900, 1_000]]])("may not be longer, cut at %p", async (cuts) => {
    const { call, receive, state } = playedConnection(1_024);
    const outcome = outcomeOf(call);
    receive(Buffer.from(head(1_025)), cuts);
    expect(await outcome).toEqual({ failed: "the head of the vendor's answer is too long" });
    expect(state.isTerminated).toBe(true);
  });

  test("that never ends is not waited for", async () => {
    const { call, receive } = playedConnection(1_024);
    const outcome = outcomeOf(call);
    receive(Buffer.from(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(400)}`), [40]);
    expect(await outcome).toHaveProperty("failed");
  });

  test("that is announced without end is not waited for", async () => {
    const { call, receive } = playedConnection(1_024);
    const outcome = outcomeOf(call);
    receive(Buffer.from("HTTP/1.1 103 Early\r\n\r\n".repeat(60)));
    expect(await outcome).toEqual({ failed: "the head of the vendor's answer is too long" });
  });

  test.each(["2;", "0\r\nx: "])("has its limit in the framing of chunks too: %p", async (begun) => {
    const { call, receive } = playedConnection(4_096);
    const outcome = outcomeOf(call);
    receive(Buffer.from(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${begun}`));
    receive(Buffer.from("y".repeat(5_000)));
    expect(await outcome).toEqual({ failed: "the framing of the vendor's answer is too long" });
  });

  test("has its fields by name, whatever their capitals", async () => {
    const { call, receive } = playedConnection();
    receive(
      Buffer.from("HTTP/1.1 200 OK\r\nX-Request-Id:  v-7 \r\ncontent-length: 0\r\nx-y:\r\n\r\n"),
    );
    const { headers } = await call.answered;
    const names = ["x-request-id", "content-length", "x-y", "request-id"];
    expect(names.map((name) => headers.get(name))).toEqual(["v-7", "0", "", null]);
  });
});

describe("what is not read", () => {
  test("is no answer where the connection broke down behind its head", async () => {
    const { pool, call, receive } = playedConnection();
    const mistake = new TypeError("a mistake of ours");
    pool.keep = () => {
      throw mistake;
    };
    const read = () => receive(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"));
    expect(read).toThrow("a mistake of ours");
    await expect(Promise.resolve(call.answered)).rejects.toBe(mistake);
  });

  const HEAD = "HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n";

  test("pauses the vendor beyond a bound, and goes on when it is read", async () => {
    const { call, receive, state } = playedConnection();
    receive(Buffer.from(HEAD));
    const answer = await call.answered;
    receive(Buffer.alloc(200_000, 97));
    expect(state.pauses).toBe(0);
    receive(Buffer.alloc(200_000, 98));
    expect([state.pauses, state.resumes]).toEqual([1, 0]);
    const chunk = await answer.read();
    expect([chunk?.length, chunk?.[0], chunk?.[399_999]]).toEqual([400_000, 97, 98]);
    expect([state.pauses, state.resumes]).toEqual([1, 1]);
  });

  test("goes to whoever waits as it came, without a copy", async () => {
    const { connection, call, receive } = playedConnection();
    receive(Buffer.from(HEAD));
    const waiting = (await call.answered).read();
    const bytes = Buffer.from("data: x\n\n");
    connection.received(bytes);
    expect(await waiting).toBe(bytes);
  });

  test("keeps no more in memory than its bytes, however much framing came around them", async () => {
    const { connection, call, receive } = playedConnection();
    receive(Buffer.from("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"));
    const answer = await call.answered;
    const read = Buffer.from(`1;${"e".repeat(4_000)}\r\nx\r\n`.repeat(16));
    connection.received(read);
    const chunk = await answer.read();
    expect(Buffer.from(chunk ?? []).toString()).toBe("x".repeat(16));
    expect(chunk?.buffer === read.buffer).toBe(false);
  });

  test("is few things however small the pieces are that it comes in", async () => {
    const { connection, call, receive } = playedConnection();
    receive(Buffer.from("HTTP/1.1 200 OK\r\n\r\n"));
    const answer = await call.answered;
    const before = arraysHeld();
    for (let at = 0; at < 50_000; at++) connection.received(Buffer.from([97 + (at % 26)]));
    expect(arraysHeld() - before).toBeLessThan(5_000);
    const chunk = Buffer.from((await answer.read()) ?? []);
    const sent = "abcdefghijklmnopqrstuvwxyz".repeat(2_000).slice(0, 50_000);
    expect(chunk.toString("latin1") === sent).toBe(true);
  });

  test("goes to a taker where it comes, and what is there already at once", async () => {
    const { call, receive, state } = playedConnection();
    const heard: unknown[] = [];
    const took = (chunk?: Uint8Array) => heard.push(chunk && Buffer.from(chunk).toString());
    const taker = { took, lost: (thrown: unknown) => heard.push(thrown) };
    receive(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\na"));
    call.readTo(taker);
    call.readTo(taker);
    receive(Buffer.from("bc"));
    expect(heard).toEqual(["a", "bc"]);
    receive(Buffer.from("d"));
    call.readTo(taker);
    call.readTo(taker);
    expect(heard).toEqual(["a", "bc", "d", undefined]);
    expect(state.kept).toBe(1);
  });

  test("may make its taker hang up in the middle of a read, and the connection is not kept", async () => {
    for (const framing of [
      "content-length: 1\r\n\r\na",
      "transfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
    ]) {
      const { call, receive, state } = playedConnection();
      const lost = mock();
      call.readTo({ took: () => call.hangUp(new Error("left")), lost });
      receive(Buffer.from(`HTTP/1.1 200 OK\r\n${framing}`));
      expect([state.kept, state.forgotten, state.isTerminated]).toEqual([0, 1, true]);
      expect(lost).not.toHaveBeenCalled();
    }
  });

  test("is lost only in a turn of its own", async () => {
    const { call } = playedConnection();
    const { promise, reject } = Promise.withResolvers<void>();
    const lost = mock(reject);
    call.readTo({ took: () => {}, lost });
    call.hangUp(new Error("left"));
    expect(lost).not.toHaveBeenCalled();
    await expect(promise).rejects.toThrow("left");
  });

  test("is forgotten when it is hung up on, and the reason is heard", async () => {
    const { call, receive, state } = playedConnection();
    receive(Buffer.from(`${HEAD}something`));
    const answer = await call.answered;
    const reason = new Error("the client left");
    call.hangUp(reason);
    await expect(answer.read()).rejects.toBe(reason);
    expect([state.isTerminated, state.kept]).toEqual([true, 0]);
  });
});

describe("a call that is over", () => {
  test("cannot hang up on the one behind it", async () => {
    const { connection, call, newCall, receive, state } = playedConnection();
    receive(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
    expect(await outcomeOf(call)).toEqual({ status: 200, text: "ok" });
    const next = newCall();
    expect(connection.send(next)).toBe(true);
    call.hangUp(new Error("late"));
    expect(state.isTerminated).toBe(false);
    receive(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext"));
    expect(await outcomeOf(next)).toEqual({ status: 200, text: "next" });
  });

  test("leaves a connection that nobody may speak on", () => {
    const { receive, state } = playedConnection();
    receive(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    expect([state.kept, state.isTerminated]).toEqual([1, false]);
    receive(Buffer.from("HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n"));
    expect([state.forgotten, state.isTerminated]).toEqual([1, true]);
  });
});

describe("a kept connection that proves to be closed", () => {
  /** A second call on a connection that takes no more than so many bytes of it. */
  async function secondCall(takes: number) {
    const played = playedConnection();
    played.receive(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    await played.call.answered;
    played.taking.bytes = takes;
    const second = played.newCall();
    return { ...played, second, isSent: played.connection.send(second) };
  }

  test("before anything is sent leaves the call to another", async () => {
    const { isSent, second, state } = await secondCall(-1);
    expect([isSent, second.isOver, state.isTerminated]).toEqual([false, false, true]);
  });

  test.each(["an end", "a reset"])(
    "while nothing was sent has the call sent again, by %s",
    async (way) => {
      const { connection, isSent, second, state } = await secondCall(0);
      connection.closed(way === "a reset" ? new Error(way) : undefined);
      expect([isSent, second.isOver, state.again]).toEqual([true, false, 1]);
    },
  );

  test.each(["an end", "a reset"])(
    "when a byte was sent is a failure, since the vendor may have been asked, by %s",
    async (way) => {
      const { connection, second, state } = await secondCall(1);
      const outcome = outcomeOf(second);
      connection.ended();
      connection.closed(way === "a reset" ? new Error(way) : undefined);
      expect(await outcome).toHaveProperty("failed");
      expect(state.again).toBe(0);
    },
  );

  test("is sent what it could not take at first, and not kept before it has all of it", async () => {
    const { connection, second, state, sent, taking, receive } = await secondCall(10);
    const { text } = second.request;
    taking.bytes = undefined;
    connection.drained();
    expect(Buffer.from(sent.at(-1) ?? "").toString()).toBe(text.slice(10));
    expect(second.request.text).toBe("");
    receive(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
    expect([(await outcomeOf(second)).text, state.kept]).toEqual(["ok", 2]);
  });

  test("answers before it has the whole request, and is not used again", async () => {
    const { second, state, receive } = await secondCall(10);
    receive(Buffer.from("HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno"));
    expect(await outcomeOf(second)).toEqual({ status: 413, text: "no" });
    expect([state.kept, state.isTerminated]).toEqual([1, true]);
  });
});

describe("the answer to HEAD", () => {
  test("has no body, whatever it says of one", async () => {
    const { connection, call, receive, state } = playedConnection();
    receive(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    await call.answered;
    const { newCall } = playedConnection();
    const head = Object.assign(newCall(), {
      request: { text: "HEAD / HTTP/1.1\r\nhost: x\r\n\r\n", bytes: 28, more: [], isHead: true },
    });
    connection.send(head);
    receive(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n"));
    expect(await outcomeOf(head)).toEqual({ status: 200, text: "" });
    expect(state.kept).toBe(2);
  });
});
