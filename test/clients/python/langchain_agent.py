"""An agent of LangChain with a tool and a schema for its answer."""

import os

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

called = []


class Weather(BaseModel):
    city: str
    degrees: int


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    called.append(city)
    return "It is 21 degrees and sunny."


model = ChatOpenAI(
    model=os.environ["FAREGATE_MODEL"],
    base_url=f"{os.environ['FAREGATE_URL']}/v1",
    api_key=os.environ["FAREGATE_KEY"],
)
agent = create_agent(model, tools=[get_weather], response_format=Weather)
question = {"role": "user", "content": "Use get_weather: what is the weather in Paris?"}
state = agent.invoke({"messages": [question]}, {"recursion_limit": 12})
assert len(called) == 1, called
assert isinstance(state["structured_response"], Weather), state
print(state["structured_response"])
