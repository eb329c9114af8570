using System.Runtime.Versioning;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Presses Tab in real shells with the scripts of <c>transfer completion</c>. A script that only looks right completes nothing.</summary>
[UnsupportedOSPlatform("windows")]
public sealed class ShellCompletionTests : ToolTest
{
    /// <summary>The lines that a user types, and the words that can replace the last one.</summary>
    private static readonly (string Typed, string[] Words)[] Lines =
    [
        ("transfer pres", ["presign"]),
        ("transfer cp --checks", ["--checksum"]),
        ("transfer cp --checksum crc64", ["crc64nvme"]),
        ("transfer cp --checksum=crc64", ["--checksum=crc64nvme"]),
        ("transfer --profile there-is-none pres", ["presign"]),
        ("transfer ls s3://buc", ["s3://bucket/"]),
        ("transfer ls s3://bucket/mov", ["s3://bucket/movies/"]),
        ("transfer cp s3://bucket/movies/m", ["s3://bucket/movies/movie.mkv"]),
        ("transfer cp --quiet local", ["local-file.txt"]),
        ("transfer cp -r local-file.txt s3://bucket/p", ["s3://bucket/photos/"]),
    ];

    /// <summary>The parts of a line that the shell doesn't pass to the completion of the tool.</summary>
    private static readonly string[] Before = ["echo; ", "transfer ls s3://bucket && ", "LANG=C "];

    private Dictionary<string, string> Shell => new(Environment)
    {
        ["PATH"] = $"{GetPath("bin")}:{System.Environment.GetEnvironmentVariable("PATH")}",
        ["HOME"] = GetPath("home"),
        ["XDG_CONFIG_HOME"] = GetPath("home"),
        ["TERM"] = "xterm",
        ["TRANSFER_COMPLETION_TIMEOUT"] = "1m",
    };

    /// <summary>Types each line and Tab in an interactive shell. What it then has in its line is written to a file.</summary>
    [ProgramFact("zsh")]
    public async Task Zsh_Tab_CompletesTheLine()
    {
        await PrepareAsync();
        await File.WriteAllTextAsync(GetPath("keys.zsh"), """
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell "PROMPT=; unsetopt zle_bracketed_paste; $1; show() { print -rn -- \"\$BUFFER\" >| line; BUFFER= }; zle -N show; bindkey '^X' show; zle-line-init() { : >| ready }; zle -N zle-line-init"
            await() { local -i i; until test $1 $2; do sleep 0.02; (( ++i < 3000 )) || { print -r -- "no $2"; exit 1 } done }
            await -e ready
            for typed in "${@[2,-1]}"; do
                rm -f line
                zpty -w -n shell "$typed"$'\t\x18'
                await -s line
                print -r -- "$(<line)"
            done
            zpty -d shell
            """);
        string sourced = "autoload -Uz compinit; compinit -u -D; source <(transfer completion zsh)";
        string[] typed = [.. Lines.Select(line => line.Typed), .. Before.Select(before => $"{before}transfer cp --checksum crc64")];
        string[] expected = [.. Lines.Select(line => After(line.Typed, line.Words[0])), .. Before.Select(before => $"{before}transfer cp --checksum crc64nvme ")];

        Assert.Equal(expected, await RunShellAsync("zsh", ["-f", "keys.zsh", sourced, .. typed]));

        // As a file in a folder of functions, the script is read by the first Tab.
        Directory.CreateDirectory(GetPath("functions"));
        await File.WriteAllTextAsync(GetPath("functions/_transfer"), (await RunAsync("completion", "zsh")).Expect(0).Text);
        Assert.Equal(["transfer presign ", "transfer presign "], await RunShellAsync("zsh", "-f", "keys.zsh", "fpath=(functions $fpath); autoload -Uz compinit; compinit -u -D", "transfer pres", "transfer pres"));

        // Zsh adds a space after a word, so that the next one can begin, but not after a folder or a bucket.
        static string After(string line, string word) => $"{line[..(line.LastIndexOf(' ') + 1)]}{word}{(word.EndsWith('/') ? string.Empty : " ")}";
    }

    [ProgramFact("fish")]
    public async Task Fish_Complete_OffersTheWords()
    {
        await PrepareAsync();
        string[] typed = [.. Lines.Select(line => line.Typed), .. Before.Select(before => $"{before}transfer cp --checksum crc64")];
        string[] expected = [.. Lines.Select(line => string.Join(' ', line.Words)), .. Before.Select(_ => "crc64nvme")];

        Assert.Equal(
            expected,
            await RunShellAsync("fish", ["--no-config", "-c", "transfer completion fish | source; for line in $argv; string join -- ' ' (complete -C $line); end; true", "--", .. typed]));
    }

    [ProgramFact("bash")]
    public async Task Bash_Function_OffersTheWords()
    {
        await PrepareAsync();
        const string Script = """
            source <(transfer completion bash)
            for line; do COMP_LINE=$line COMP_POINT=${#line}; _transfer 2>/dev/null; echo "${COMPREPLY[*]}"; done
            """;
        (string Typed, string[] Words)[] lines = [.. Lines.Where(line => line.Words is not ["local-file.txt"])]; // bash itself completes the names of files
        string[] expected = [.. lines.Select(line => string.Join(' ', line.Words))];

        Assert.Equal(expected, await RunShellAsync("bash", ["--norc", "-c", $"COMP_WORDBREAKS=' '\n{Script}", "bash", .. lines.Select(line => line.Typed)]));
        Assert.Equal(["//bucket/movies/", "crc64nvme"], await RunShellAsync("bash", "--norc", "-c", Script, "bash", "transfer ls s3://bucket/mov", "transfer cp --checksum=crc64"));
    }

    private async Task PrepareAsync()
    {
        foreach (string key in (string[])["movies/movie.mkv", "movies/not offered $(reboot)", "photos/1.jpg"])
        {
            await PutAsync(key, [1]);
        }

        foreach (string folder in (string[])["bin", "home"])
        {
            Directory.CreateDirectory(GetPath(folder));
        }

        await WriteFileAsync("local-file.txt", [1]);
        await File.WriteAllTextAsync(GetPath("bin/transfer"), $"#!/bin/sh\nexec {string.Join(' ', ToolFile.UnderTest.Command.Select(word => $"'{word}'"))} \"$@\"\n");
        File.SetUnixFileMode(GetPath("bin/transfer"), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    private async Task<string[]> RunShellAsync(string program, params string[] arguments)
        => (await ExternalProgram.RunInAsync(GetPath(string.Empty), program, Shell, Deadline.Longest, arguments)).Split('\n', StringSplitOptions.RemoveEmptyEntries);
}
