import { appendFile, mkdir, mkdtemp, rm, unlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { zstdFrame } from "@treelog-internal/test-kit/codex"

/** A folder of Codex for tests. */
export class TestHome {
  private constructor(readonly dir: string) {}

  static async make(files: readonly { readonly name: string; readonly text: string }[] = []): Promise<TestHome> {
    const home = new TestHome(await mkdtemp(join(tmpdir(), "codex-home-")))
    for (const { name, text } of files) await home.write(name, text)
    return home
  }

  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.dir, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    return path
  }

  async append(name: string, text: string): Promise<void> {
    await appendFile(join(this.dir, name), text)
  }

  /** Compresses a file, as Codex does with old ones. */
  async compress(name: string, text: string): Promise<void> {
    await this.write(`${name}.zst`, zstdFrame(new TextEncoder().encode(text)))
    await unlink(join(this.dir, name))
  }

  async remove(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true })
  }
}
