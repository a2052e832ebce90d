"""The tool runner of the Anthropic SDK: a tool is called, and the answer has its result."""

import os

from anthropic import Anthropic, beta_tool

client = Anthropic(api_key=os.environ["FAREGATE_KEY"], base_url=os.environ["FAREGATE_URL"])
called = []


@beta_tool
def get_weather(city: str) -> str:
    """Get the weather of a city.

    Args:
        city: The city.
    """
    called.append(city)
    return "It is 21 degrees and sunny."


runner = client.beta.messages.tool_runner(
    model=os.environ["FAREGATE_MODEL"],
    max_tokens=1024,
    tools=[get_weather],
    messages=[{"role": "user", "content": "Use get_weather: what is the weather in Paris?"}],
)
last = runner.until_done()
text = "".join(block.text for block in last.content if block.type == "text")
assert len(called) == 1, called
assert last.stop_reason == "end_turn", last.stop_reason
assert text, last
print(text)
