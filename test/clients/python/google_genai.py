"""google-genai as it is installed: its defaults, and the address."""

import os

from google import genai

client = genai.Client(
    api_key=os.environ["FAREGATE_KEY"],
    http_options={"base_url": os.environ["FAREGATE_URL"]},
)
model = os.environ["FAREGATE_MODEL"]

answer = client.models.generate_content(model=model, contents="Say hello.")
assert answer.text, answer
assert answer.usage_metadata.total_token_count > 0, answer.usage_metadata

streamed = "".join(
    chunk.text or ""
    for chunk in client.models.generate_content_stream(model=model, contents="Say hello.")
)
assert streamed, "the stream has no text"

names = [found.name for found in client.models.list()]
assert f"models/{model}" in names, names
print(answer.text)
