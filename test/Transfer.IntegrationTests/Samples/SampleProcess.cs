using System.Diagnostics;
using System.Text;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Samples;

/// <summary>A sample as a process of its own, with an environment that contains nothing of the machine's.</summary>
internal sealed class SampleProcess : IDisposable
{
    private static readonly string[] InheritedPrefixes = ["AWS_", "S3_", "TRANSFER_", "ASPNETCORE_", "DOTNET_ENVIRONMENT", "Logging__"];
    private readonly Process _process;
    private readonly Task<string> _error;
    private readonly StringBuilder _output = new();

    private SampleProcess(Process process)
    {
        _process = process;
        _error = process.StandardError.ReadToEndAsync();
    }

    public static SampleProcess Start(string sample, IReadOnlyDictionary<string, string> environment, params string[] arguments)
        => new(Process.Start(Prepare(sample, environment, arguments))!);

    /// <summary>Runs a sample to its end, which must be a success.</summary>
    public static async Task<ToolOutcome> RunAsync(string sample, IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        using SampleProcess process = Start(sample, environment, arguments);
        return (await process.EndAsync()).Expect(0);
    }

    /// <summary>Gets the variables that make a sample use a server.</summary>
    public static Dictionary<string, string> EnvironmentOf(EmbeddedS3Server server, string bucket) => new()
    {
        ["S3_ENDPOINT"] = server.Endpoint.ToString(),
        ["S3_BUCKET"] = bucket,
        ["AWS_ACCESS_KEY_ID"] = server.AccessKeyId,
        ["AWS_SECRET_ACCESS_KEY"] = server.SecretAccessKey,
    };

    /// <summary>Reads standard output up to the first line that contains a text.</summary>
    public async Task<string> ReadLineWithAsync(Func<string, bool> isWanted)
    {
        while (await _process.StandardOutput.ReadLineAsync().Within() is { } line)
        {
            _output.AppendLine(line);
            if (isWanted(line))
            {
                return line;
            }
        }

        throw new Xunit.Sdk.XunitException($"The sample ended before the expected line:\n{_output}\n{await _error.Within()}");
    }

    /// <summary>Presses Ctrl+C.</summary>
    public Task InterruptAsync()
        => ExternalProgram.RunAsync("kill", new Dictionary<string, string>(), "-INT", _process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture));

    /// <summary>Reads the rest of the output, and waits for the end of the process.</summary>
    public async Task<ToolOutcome> EndAsync()
    {
        _output.Append(await _process.StandardOutput.ReadToEndAsync().Within());
        await _process.WaitForExitAsync().Within();
        return new ToolOutcome(_process.ExitCode, Encoding.UTF8.GetBytes(_output.ToString()), await _error.Within());
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    /// <summary>Gets the assembly of a sample, which is built to the directory beside that of the tests.</summary>
    private static string GetPath(string sample)
    {
        DirectoryInfo output = new(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory));
        return Path.Combine(output.Parent!.Parent!.FullName, sample, output.Name, sample + ".dll");
    }

    private static ProcessStartInfo Prepare(string sample, IReadOnlyDictionary<string, string> environment, string[] arguments)
    {
        // "env" restores the default action of SIGINT, which is ignored if the tests run in the background.
        ProcessStartInfo start = new("env")
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.UTF8,
            StandardErrorEncoding = Encoding.UTF8,
        };
        foreach (string argument in (string[])["--default-signal=INT", Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", GetPath(sample), .. arguments])
        {
            start.ArgumentList.Add(argument);
        }

        foreach (string name in start.Environment.Keys.Where(name => InheritedPrefixes.Any(prefix => name.StartsWith(prefix, StringComparison.Ordinal))).ToList())
        {
            start.Environment.Remove(name);
        }

        start.Environment["AWS_EC2_METADATA_DISABLED"] = "true";
        start.Environment["NO_COLOR"] = "1";
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        return start;
    }
}
