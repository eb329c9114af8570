namespace Transfer.Tests.Infrastructure;

/// <summary>A folder of a test's own that goes away with it.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("transfer-tests-").FullName;

    /// <summary>The names of all files in it, hidden ones too.</summary>
    public IReadOnlyList<string> Files
        => [.. Directory.EnumerateFiles(Path, "*", new EnumerationOptions { AttributesToSkip = 0, RecurseSubdirectories = true }).Select(file => System.IO.Path.GetFileName(file))];

    public string File(string name) => System.IO.Path.Combine(Path, name);

    public string File(string name, byte[] content)
    {
        System.IO.File.WriteAllBytes(File(name), content);
        return File(name);
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
