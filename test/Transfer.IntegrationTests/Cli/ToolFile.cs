namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>A file of the tool, and how it is started.</summary>
/// <param name="Command">The program, and the arguments before those of the tool.</param>
internal sealed record ToolFile(IReadOnlyList<string> Command)
{
    /// <summary>The variable that contains the path of the native file to test.</summary>
    public const string Variable = "TRANSFER_TEST_TOOL";

    /// <summary>Gets the tool that was built with the tests, which needs a runtime.</summary>
    public static ToolFile Built { get; } = new([Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", Path.Combine(AppContext.BaseDirectory, "transfer.dll")]);

    /// <summary>Gets the path of the native file; null if there is none.</summary>
    public static string? NativePath { get; } = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } file ? file : null;

    /// <summary>Gets the tool that the tests start: the native file if there is one, because that is what people install.</summary>
    public static ToolFile UnderTest { get; } = NativePath is { } file ? new ToolFile([file]) : Built;
}
