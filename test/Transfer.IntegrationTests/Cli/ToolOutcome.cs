using System.Text;
using System.Text.Json;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>The exit code and the output of a run of the tool.</summary>
internal sealed record ToolOutcome(int ExitCode, byte[] Output, string Error)
{
    public string Text => Encoding.UTF8.GetString(Output);

    public string[] Lines => Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Gets the result of --json: the last line of standard error if standard output has entries or content; otherwise, that of standard output.</summary>
    public JsonElement Json => Parse(ErrorLines is [.., { } last] && last.StartsWith("{\"operation\":", StringComparison.Ordinal) ? last : Lines[^1]);

    public string[] ErrorLines => Error.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    public static JsonElement Parse(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        return document.RootElement.Clone();
    }

    /// <summary>Asserts the exit code, and that no internal error details were written.</summary>
    public ToolOutcome Expect(int exitCode)
    {
        Assert.True(ExitCode == exitCode, $"The tool exited with code {ExitCode} instead of {exitCode}:\n{Error}");
        Assert.DoesNotContain("   at ", Error, StringComparison.Ordinal);
        Assert.DoesNotContain("Exception", Error, StringComparison.Ordinal);
        return this;
    }
}
