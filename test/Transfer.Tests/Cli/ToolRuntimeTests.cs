using System.Text.Json;

namespace Transfer.S3.Tests.Cli;

/// <summary>The settings of the runtime that the project of the tool contains.</summary>
public sealed class ToolRuntimeTests
{
    [Fact]
    public void Memory_BetweenCollections_IsLimited()
    {
        using JsonDocument settings = ReadSettings();
        JsonElement values = GetValues(settings);

        Assert.Equal(4 * Sizes.MiB, values.GetProperty("System.GC.Gen0MaxBudget").GetInt64());
        Assert.False(values.GetProperty("System.GC.Concurrent").GetBoolean());
    }

    [Fact]
    public void Threads_WithoutWork_DontSpin()
    {
        using JsonDocument settings = ReadSettings();

        Assert.Equal(0, GetValues(settings).GetProperty("System.Threading.ThreadPool.UnfairSemaphoreSpinLimit").GetInt32());
    }

    private static JsonDocument ReadSettings() => JsonDocument.Parse(File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "transfer.runtimeconfig.json")));

    private static JsonElement GetValues(JsonDocument settings) => settings.RootElement.GetProperty("runtimeOptions").GetProperty("configProperties");
}
