"""An agent of pydantic-ai with a tool and a type for its answer."""

import os

from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.usage import UsageLimits

called = []


class Weather(BaseModel):
    city: str
    degrees: int


provider = OpenAIProvider(
    base_url=f"{os.environ['FAREGATE_URL']}/v1", api_key=os.environ["FAREGATE_KEY"]
)
agent = Agent(
    OpenAIChatModel(os.environ["FAREGATE_MODEL"], provider=provider), output_type=Weather
)


@agent.tool_plain
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    called.append(city)
    return "It is 21 degrees and sunny."


result = agent.run_sync(
    "Use get_weather: what is the weather in Paris?", usage_limits=UsageLimits(request_limit=6)
)
assert len(called) == 1, called
assert isinstance(result.output, Weather), result
print(result.output)
