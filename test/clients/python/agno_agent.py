"""An agent of agno with a tool, on both of its model classes, with the cost that it reads."""

import os

from agno.agent import Agent
from agno.models.openai import OpenAIChat
from agno.models.openrouter import OpenRouter

model = os.environ["FAREGATE_MODEL"]
server = {
    "base_url": f"{os.environ['FAREGATE_URL']}/v1",
    "api_key": os.environ["FAREGATE_KEY"],
}
os.environ["AGNO_TELEMETRY"] = "false"


def asked(model_class) -> str:
    called = []

    def get_weather(city: str) -> str:
        """Get the weather of a city."""
        called.append(city)
        return "It is 21 degrees and sunny."

    agent = Agent(
        model=model_class(id=model, **server), tools=[get_weather], telemetry=False
    )
    run = agent.run("Use get_weather: what is the weather in Paris?")
    assert len(called) == 1, called
    assert run.content, run
    assert run.metrics.cost > 0, run.metrics
    return run.content


asked(OpenAIChat)
print(asked(OpenRouter))
