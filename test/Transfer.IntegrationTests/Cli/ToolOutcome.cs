using System.Text;
using System.Text.Json;

namespace Transfer.IntegrationTests.Cli;

/// <summary>How a run of the tool ended and what it wrote.</summary>
internal sealed record ToolOutcome(int ExitCode, byte[] Output, string Error)
{
    public string Text => Encoding.UTF8.GetString(Output);

    public string[] Lines => Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>The object that the output ends with.</summary>
    public JsonElement Json => Parse(Lines[^1]);

    public static JsonElement Parse(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        return document.RootElement.Clone();
    }

    /// <summary>The run ended so, and said nothing that only a programmer reads.</summary>
    public ToolOutcome Expect(int exitCode)
    {
        Assert.True(ExitCode == exitCode, $"The tool ended with {ExitCode}, not {exitCode}:\n{Error}");
        Assert.DoesNotContain("   at ", Error, StringComparison.Ordinal);
        Assert.DoesNotContain("Exception", Error, StringComparison.Ordinal);
        return this;
    }
}
