using System.Text;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Sync;

/// <summary>The sides of synchronizations in tests: names with their content, as files or as objects.</summary>
internal static class SyncTree
{
    public static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    public static void Write(TemporaryFolder folder, string name, string content)
    {
        string path = folder.File(name);
        if (name.EndsWith('/'))
        {
            Directory.CreateDirectory(path);
            return;
        }

        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, Bytes(content));
    }

    public static void WriteAll(TemporaryFolder folder, IReadOnlyDictionary<string, string> files)
    {
        foreach ((string name, string content) in files)
        {
            Write(folder, name, content);
        }
    }

    public static Dictionary<string, string> ReadAll(TemporaryFolder folder) => Directory.Exists(folder.Path)
        ? Directory.EnumerateFiles(folder.Path, "*", new EnumerationOptions { AttributesToSkip = 0, RecurseSubdirectories = true })
            .ToDictionary(path => Path.GetRelativePath(folder.Path, path).Replace('\\', '/'), File.ReadAllText)
        : [];

    /// <summary>Reads all files, and which of some folders exist.</summary>
    public static Dictionary<string, string> ReadAll(TemporaryFolder folder, IEnumerable<string> folders)
        => ReadAll(folder).Concat(folders.Where(name => Directory.Exists(folder.File(name))).Select(name => KeyValuePair.Create(name, string.Empty))).ToDictionary();

    public static void PutAll(FakeS3 s3, string prefix, IReadOnlyDictionary<string, string> objects)
    {
        foreach ((string name, string content) in objects)
        {
            s3.Put(prefix + name, Bytes(content));
        }
    }

    public static Dictionary<string, string> ReadAll(FakeS3 s3, string prefix) => s3.Objects
        .Where(one => one.Key.StartsWith(prefix, StringComparison.Ordinal) && one.Key.Length > prefix.Length)
        .ToDictionary(one => one.Key[prefix.Length..], one => Encoding.UTF8.GetString(one.Value.Content));

    /// <summary>Shows a tree on one line, so that a difference can be read.</summary>
    public static string Show(IReadOnlyDictionary<string, string> tree)
        => string.Join(" ", tree.OrderBy(one => one.Key, StringComparer.Ordinal).Select(one => $"{one.Key}={one.Value}"));
}
