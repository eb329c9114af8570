namespace Transfer.S3.IntegrationTests.Engines;

/// <summary>A test that needs the schema of the Kubernetes API. It is skipped without one.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class SchemaFactAttribute : FactAttribute
{
    /// <summary>The variable that contains the path of a folder with the packages.</summary>
    public const string Variable = "TRANSFER_TEST_KUBERNETES";

    public SchemaFactAttribute()
        => Skip = Folder is null ? $"Set {Variable} to a folder in which 'npm install kubernetes-models js-yaml typescript' ran." : null;

    public static string? Folder { get; } = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } folder ? folder : null;
}
