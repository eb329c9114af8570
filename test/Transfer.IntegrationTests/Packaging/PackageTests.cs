using System.IO.Compression;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text;
using System.Xml.Linq;

namespace Transfer.IntegrationTests.Packaging;

/// <summary>What is in the packages.</summary>
[Collection(PackageCollection.Name)]
public sealed class PackageTests(PackageFeed feed)
{
    private static readonly string Runtime = $"runtimes/{Dotnet.Platform}/lib/net10.0/";

    [LongFact]
    public async Task Packages_HaveWhatUsersNeed()
    {
        string[] ids = ["Transfer.S3", "Transfer.S3.Server", "Transfer.S3.Tool", "Transfer.S3.Tool.any", $"Transfer.S3.Tool.{Dotnet.Platform}"];

        Dictionary<string, Dictionary<string, byte[]>> packages = Directory.GetFiles(await feed.PackagesAsync(), "*.nupkg")
            .ToDictionary(path => Path.GetFileName(path)[..^$".{PackageFeed.Version}.nupkg".Length], Read);

        Assert.Equal(ids, packages.Keys.Order(StringComparer.Ordinal));
        Assert.All(packages, package => AssertDescribed(package.Key, package.Value));
        AssertLibrary(packages["Transfer.S3"], "Transfer.S3", "lib/net10.0/", isNative: false);
        AssertLibrary(packages["Transfer.S3"], "Transfer.S3", Runtime, isNative: true);
        AssertLibrary(packages["Transfer.S3.Server"], "Transfer.S3.Server", "lib/net10.0/", isNative: false);
        AssertTool(packages["Transfer.S3.Tool.any"], "tools/net10.0/any/", isNative: false);
        AssertTool(packages[$"Transfer.S3.Tool.{Dotnet.Platform}"], $"tools/net10.0/{Dotnet.Platform}/", isNative: true);
    }

    [LongFact]
    public async Task Pack_InAnotherDirectory_GivesTheSameFiles()
    {
        string folder = feed.CreateFolder("another");
        string again = Path.Combine(folder, "packages");

        await new SourceCopy(Path.Combine(folder, "copy", "of", "sources")).PackAsync(again, PackageFeed.Version);

        int compared = 0;
        foreach (string path in Directory.GetFiles(await feed.PackagesAsync(), "*.nupkg"))
        {
            Dictionary<string, byte[]> second = Read(Path.Combine(again, Path.GetFileName(path)));
            foreach ((string name, byte[] content) in Read(path).Where(entry => Path.GetExtension(entry.Key) is ".dll" or ".xml" or ".json"))
            {
                Assert.True(content.AsSpan().SequenceEqual(second[name]), $"{name} of {Path.GetFileName(path)} differs.");
                compared++;
            }
        }

        Assert.True(compared > 20, "The packages have too few files.");
    }

    private static Dictionary<string, byte[]> Read(string path)
    {
        using ZipArchive package = ZipFile.OpenRead(path);
        return package.Entries.ToDictionary(entry => entry.FullName, entry =>
        {
            using Stream content = entry.Open();
            using MemoryStream copy = new();
            content.CopyTo(copy);
            return copy.ToArray();
        });
    }

    private static void AssertDescribed(string id, Dictionary<string, byte[]> package)
    {
        XElement metadata = XDocument.Parse(Encoding.UTF8.GetString(package[$"{id}.nuspec"]).TrimStart('\uFEFF')).Root!.Elements().First();
        string? Value(string name) => metadata.Elements().SingleOrDefault(element => element.Name.LocalName == name)?.Value;

        Assert.Equal(id, Value("id"));
        Assert.Equal("MIT", Value("license"));
        Assert.Equal("README.md", Value("readme"));
        Assert.Equal("icon.png", Value("icon"));
        Assert.Contains("s3", Value("tags")!.Split(' '));
        Assert.True(package["README.md"].Length > 500, "The package has no README.");
        Assert.Equal([0x89, (byte)'P', (byte)'N', (byte)'G'], package["icon.png"][..4]);
    }

    private static void AssertLibrary(Dictionary<string, byte[]> package, string name, string folder, bool isNative)
    {
        AssertAssembly(package[$"{folder}{name}.dll"], isNative);
        Assert.Contains("<summary>", Encoding.UTF8.GetString(package[$"lib/net10.0/{name}.xml"]), StringComparison.Ordinal);
    }

    private static void AssertTool(Dictionary<string, byte[]> package, string folder, bool isNative)
    {
        Assert.All(
            (string[])["transfer", "Transfer.S3", "Transfer.S3.Server"],
            name => AssertAssembly(package[$"{folder}{name}.dll"], isNative));

        string notices = Encoding.UTF8.GetString(package["THIRD-PARTY-NOTICES.txt"]);
        Assert.All(
            package.Keys.Where(name => name.EndsWith(".dll", StringComparison.Ordinal)).Select(Path.GetFileNameWithoutExtension).Where(name => name?.StartsWith("transfer", StringComparison.OrdinalIgnoreCase) == false),
            name => Assert.Contains(name!, notices, StringComparison.Ordinal));
    }

    /// <summary>Symbols are inside, and name sources as the repository does instead of where they were built.</summary>
    private static void AssertAssembly(byte[] assembly, bool isNative)
    {
        using MemoryStream content = new(assembly);
        using PEReader reader = new(content);
        Assert.Equal(isNative, reader.PEHeaders.CorHeader!.ManagedNativeHeaderDirectory.Size > 0);
        DebugDirectoryEntry symbols = Assert.Single(reader.ReadDebugDirectory(), entry => entry.Type == DebugDirectoryEntryType.EmbeddedPortablePdb);
        using MetadataReaderProvider provider = reader.ReadEmbeddedPortablePdbDebugDirectoryData(symbols);
        MetadataReader metadata = provider.GetMetadataReader();
        string[] documents = [.. metadata.Documents.Select(document => metadata.GetString(metadata.GetDocument(document).Name))];
        Assert.Contains(documents, document => document.StartsWith("/_", StringComparison.Ordinal));
        Assert.DoesNotContain(documents, document => Path.IsPathRooted(document) && !document.StartsWith("/_", StringComparison.Ordinal));
    }
}
