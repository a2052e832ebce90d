import { expect, test } from "bun:test";
import { askSecret, readInput } from "./secret-input.ts";

/** A terminal at which these keys are pressed. */
function terminal(...keys: string[]) {
  const modes: boolean[] = [];
  let shown = "";
  const stdin = {
    async *[Symbol.asyncIterator]() {
      for (const key of keys) yield Buffer.from(key);
    },
    setRawMode: (on: boolean) => modes.push(on),
    pause() {},
  };
  const stderr = {
    write(text: string) {
      shown += text;
    },
  };
  return { terminal: { stdin, stderr }, modes, shown: () => shown };
}

test("a secret that is typed is not shown, and can be corrected", async () => {
  const typing = terminal("s3", "x", "\u007f", "cret", "\r", "more");
  expect(await askSecret("Secret: ", typing.terminal)).toBe("s3cret");
  expect(typing.shown()).toBe("Secret: \n");
  expect(typing.modes).toEqual([true, false]);
});

test("whoever interrupts leaves the terminal as it was", async () => {
  const typing = terminal("s3", "\u0003");
  await expect(askSecret("Secret: ", typing.terminal)).rejects.toThrow("given up");
  expect(typing.modes).toEqual([true, false]);
});

test("the standard input is read whole, and not without end", async () => {
  const { stdin } = terminal('{"secret":', ' "x"}\n').terminal;
  expect(await readInput(stdin)).toBe('{"secret": "x"}');
  const film = terminal(
    ..."x"
      .repeat(70)
      .split("")
      .map((key) => key.repeat(1_000)),
  );
  await expect(readInput(film.terminal.stdin)).rejects.toThrow("too long");
});
