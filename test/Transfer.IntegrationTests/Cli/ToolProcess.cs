using System.Diagnostics;
using System.Text;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Runs the tool as a separate process, with an environment that doesn't inherit that of the machine.</summary>
internal sealed class ToolProcess : IDisposable
{
    private readonly Process _process;
    private readonly Task<string> _error;

    private ToolProcess(Process process)
    {
        _process = process;
        _error = process.StandardError.ReadToEndAsync();
    }

    public int Id => _process.Id;

    public Stream Input => _process.StandardInput.BaseStream;

    public Stream Output => _process.StandardOutput.BaseStream;

    public static ToolProcess Start(IReadOnlyDictionary<string, string> environment, params string[] arguments)
        => new(Process.Start(Prepare(environment, arguments))!);

    /// <summary>Starts the tool from a shell with the given umask.</summary>
    public static ToolProcess StartWithUmask(string umask, IReadOnlyDictionary<string, string> environment, params string[] arguments)
        => StartBehind($"umask {umask}", environment, arguments);

    /// <summary>Starts the tool with SIGHUP ignored, as nohup does.</summary>
    public static ToolProcess StartWithoutHangups(IReadOnlyDictionary<string, string> environment, params string[] arguments) => StartBehind("trap '' HUP", environment, arguments);

    /// <summary>Runs the tool without a terminal, even if the tests have one, until it exits.</summary>
    public static async Task<ToolOutcome> RunWithoutTerminalAsync(IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        using ToolProcess tool = StartInShell("exec setsid --wait \"$@\"", environment, arguments);
        tool.CloseInput();
        return await tool.EndAsync();
    }

    /// <summary>Runs the tool on a terminal of its own until it exits. The output is what the terminal shows.</summary>
    public static async Task<ToolOutcome> RunOnTerminalAsync(string typed, IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        ProcessStartInfo tool = Prepare(environment, arguments);
        string line = string.Join(' ', tool.ArgumentList.Prepend(tool.FileName).Select(word => $"'{word}'"));
        using ToolProcess terminal = StartInShell($"exec script --quiet --return --command \"{line}\" /dev/null", environment, []);
        await terminal.Input.WriteAsync(Encoding.UTF8.GetBytes(typed)).AsTask().Within();
        await terminal.Input.FlushAsync().Within();
        return await terminal.EndAsync();
    }

    /// <summary>Runs the tool until it exits, with standard output to a file.</summary>
    public static async Task<ToolOutcome> RunToFileAsync(string file, IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        using ToolProcess tool = StartInShell($"exec \"$@\" > '{file}'", environment, arguments);
        tool.CloseInput();
        return await tool.EndAsync();
    }

    /// <summary>Runs the tool until it exits, as if the disk were full: none of its files can become larger.</summary>
    public static Task<ToolOutcome> RunWithFileLimitAsync(int bytes, IReadOnlyDictionary<string, string> environment, params string[] arguments)
        => RunWithFileLimitAsync(bytes, null, environment, arguments);

    /// <summary>Runs the tool until it exits, as if the disk were full, with standard output to a file.</summary>
    public static async Task<ToolOutcome> RunWithFileLimitAsync(int bytes, string? output, IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        const int BlockBytes = 512;
        Dictionary<string, string> unprotected = new(environment) { ["DOTNET_EnableWriteXorExecute"] = "0" }; // otherwise, code is in a large file
        using ToolProcess tool = StartInShell(
            $"trap '' XFSZ; ulimit -f {bytes / BlockBytes}; exec \"$@\"{(output is null ? string.Empty : $" > '{output}'")}", unprotected, arguments);
        tool.CloseInput();
        return await tool.EndAsync();
    }

    private static ToolProcess StartBehind(string command, IReadOnlyDictionary<string, string> environment, string[] arguments)
        => StartInShell(command + "; exec \"$@\"", environment, arguments);

    private static ToolProcess StartInShell(string command, IReadOnlyDictionary<string, string> environment, string[] arguments)
    {
        ProcessStartInfo start = Prepare(environment, arguments);
        string[] line = ["-c", command, "sh", start.FileName, .. start.ArgumentList];
        start.FileName = "sh";
        start.ArgumentList.Clear();
        foreach (string argument in line)
        {
            start.ArgumentList.Add(argument);
        }

        return new ToolProcess(Process.Start(start)!);
    }

    /// <summary>Starts the tool and reads its first line of standard error. <see cref="EndAsync"/> reads the rest.</summary>
    public static async Task<(ToolProcess Tool, string Line)> StartAndReadLineAsync(IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        Process process = Process.Start(Prepare(environment, arguments))!;
        string line = await process.StandardError.ReadLineAsync().Within() ?? string.Empty;
        return (new ToolProcess(process), line);
    }

    /// <summary>Runs the tool until it exits, with empty standard input.</summary>
    public static Task<ToolOutcome> RunAsync(IReadOnlyDictionary<string, string> environment, params string[] arguments)
        => RunAsync(ToolFile.UnderTest, environment, arguments);

    /// <summary>Runs a file of the tool until it exits, with empty standard input.</summary>
    public static async Task<ToolOutcome> RunAsync(ToolFile file, IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        using ToolProcess tool = new(Process.Start(Prepare(environment, arguments, file))!);
        tool.CloseInput();
        return await tool.EndAsync();
    }

    /// <summary>Runs the tool in a directory until it exits, with empty standard input.</summary>
    public static async Task<ToolOutcome> RunInAsync(string directory, IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        ProcessStartInfo start = Prepare(environment, arguments);
        start.WorkingDirectory = directory;
        using ToolProcess tool = new(Process.Start(start)!);
        tool.CloseInput();
        return await tool.EndAsync();
    }

    public bool HasExited => _process.HasExited;

    /// <summary>Kills the tool with SIGKILL.</summary>
    /// <returns><c>true</c> if the tool had not exited before; otherwise, <c>false</c>.</returns>
    public bool Kill()
    {
        _process.Kill();
        _process.WaitForExit();
        return _process.ExitCode == 128 + 9;
    }

    public void CloseInput() => _process.StandardInput.Close();

    public void CloseOutput() => _process.StandardOutput.Close();

    public Task SignalAsync(string name)
        => ExternalProgram.RunAsync("kill", new Dictionary<string, string>(), "-" + name, _process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture));

    /// <summary>Reads the remaining output of the tool, and waits until it exits.</summary>
    /// <param name="readOutput">Whether the output is read.</param>
    /// <param name="atMost">The time after which the test fails; null for the usual one.</param>
    public async Task<ToolOutcome> EndAsync(bool readOutput = true, TimeSpan? atMost = null)
    {
        TimeSpan longest = atMost ?? Deadline.Longest;
        using MemoryStream output = new();
        if (readOutput)
        {
            await Output.CopyToAsync(output).WaitAsync(longest);
        }

        await _process.WaitForExitAsync().WaitAsync(longest);
        return new ToolOutcome(_process.ExitCode, output.ToArray(), await _error.Within());
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    private static ProcessStartInfo Prepare(IReadOnlyDictionary<string, string> environment, string[] arguments, ToolFile? file = null)
    {
        // "env" restores the default action of SIGINT, which is ignored in a test run in the background.
        ProcessStartInfo start = new("env")
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardErrorEncoding = Encoding.UTF8,
        };
        foreach (string argument in (string[])["--default-signal=INT", .. (file ?? ToolFile.UnderTest).Command, .. arguments])
        {
            start.ArgumentList.Add(argument);
        }

        foreach (string name in start.Environment.Keys.Where(name => name.StartsWith("AWS_", StringComparison.Ordinal) || name.StartsWith("TRANSFER_", StringComparison.Ordinal)).ToList())
        {
            start.Environment.Remove(name);
        }

        start.Environment["AWS_CONFIG_FILE"] = start.Environment["AWS_SHARED_CREDENTIALS_FILE"] = Path.Combine(AppContext.BaseDirectory, "there-is-no-such-file");
        start.Environment["AWS_EC2_METADATA_DISABLED"] = "true";
        start.Environment["TRANSFER_RETRY_FOR"] = "0"; // a store that is down stays down
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        return start;
    }
}
