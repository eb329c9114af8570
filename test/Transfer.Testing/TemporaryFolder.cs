namespace Transfer.S3.Testing;

/// <summary>A folder that is deleted at the end of the test.</summary>
public sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("transfer-tests-").FullName;

    /// <summary>Gets the names of all files in the folder, including hidden files.</summary>
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
