using System.Text.Json;

namespace Transfer.S3.Tests.Cli;

/// <summary>The settings of the runtime that the project of the tool contains.</summary>
public sealed class ToolRuntimeTests
{
    [Fact]
    public void Memory_BetweenCollections_IsLimited()
    {
        using JsonDocument settings = JsonDocument.Parse(File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "transfer.runtimeconfig.json")));

        JsonElement values = settings.RootElement.GetProperty("runtimeOptions").GetProperty("configProperties");

        Assert.Equal(4 * Sizes.MiB, values.GetProperty("System.GC.Gen0MaxBudget").GetInt64());
        Assert.False(values.GetProperty("System.GC.Concurrent").GetBoolean());
    }
}
