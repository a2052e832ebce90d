import { mount } from "../app/mount.tsx";
import { ApiPage } from "./api-page.tsx";

// Open to everybody: whoever is not signed in reads, and calls with a key or a token.
void mount("api", () => <ApiPage />);
