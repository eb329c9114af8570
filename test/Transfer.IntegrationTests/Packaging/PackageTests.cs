using System.IO.Compression;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Runtime.CompilerServices;
using System.Text;
using System.Xml.Linq;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.Server;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.IntegrationTests.Packaging;

/// <summary>What is in the packages.</summary>
[Collection(PackageCollection.Name)]
public sealed class PackageTests(PackageFeed feed)
{
    private static readonly string Runtime = $"runtimes/{Dotnet.Platform}/lib/net10.0/";

    [LongFact]
    public async Task Packages_HaveWhatUsersNeed()
    {
        string[] ids = ["Transfer.S3", "Transfer.S3.Aspire", "Transfer.S3.Aspire.Hosting", "Transfer.S3.Jobs", "Transfer.S3.Server", "Transfer.S3.Tool", "Transfer.S3.Tool.any", $"Transfer.S3.Tool.{Dotnet.Platform}", "Transfer.S3.TransferUtility"];

        Dictionary<string, Dictionary<string, byte[]>> packages = Directory.GetFiles(await feed.PackagesAsync(), "*.nupkg")
            .ToDictionary(path => Path.GetFileName(path)[..^$".{PackageFeed.Version}.nupkg".Length], Read);

        Assert.Equal(ids, packages.Keys.Order(StringComparer.Ordinal));
        Assert.All(packages, package => AssertDescribed(package.Key, package.Value));
        Dictionary<string, byte[]> symbols = Directory.GetFiles(await feed.PackagesAsync(), "*.snupkg")
            .ToDictionary(path => Path.GetFileName(path)[..^$".{PackageFeed.Version}.snupkg".Length], path => Assert.Single(Read(path), file => file.Key.EndsWith(".pdb", StringComparison.Ordinal)).Value);
        Assert.Equal(["Transfer.S3", "Transfer.S3.Aspire", "Transfer.S3.Aspire.Hosting", "Transfer.S3.Jobs", "Transfer.S3.Server", "Transfer.S3.TransferUtility"], symbols.Keys.Order(StringComparer.Ordinal));
        AssertAssembly(packages["Transfer.S3"]["lib/net10.0/Transfer.S3.dll"], symbols["Transfer.S3"], isNative: false);
        AssertAssembly(packages["Transfer.S3"][$"{Runtime}Transfer.S3.dll"], symbols["Transfer.S3"], isNative: true);
        AssertAssembly(packages["Transfer.S3.Jobs"]["lib/net10.0/Transfer.S3.Jobs.dll"], symbols["Transfer.S3.Jobs"], isNative: false);
        AssertAssembly(packages["Transfer.S3.Jobs"][$"{Runtime}Transfer.S3.Jobs.dll"], symbols["Transfer.S3.Jobs"], isNative: true);
        Assert.Equal($"[{PackageFeed.Version}]", Dependency(packages["Transfer.S3.Jobs"], "Transfer.S3.Jobs", "Transfer.S3")); // it uses internal members
        AssertAssembly(packages["Transfer.S3.TransferUtility"]["lib/net10.0/Transfer.S3.TransferUtility.dll"], symbols["Transfer.S3.TransferUtility"], isNative: false);
        AssertAssembly(packages["Transfer.S3.TransferUtility"][$"{Runtime}Transfer.S3.TransferUtility.dll"], symbols["Transfer.S3.TransferUtility"], isNative: true);
        Assert.Equal($"[{PackageFeed.Version}]", Dependency(packages["Transfer.S3.TransferUtility"], "Transfer.S3.TransferUtility", "Transfer.S3")); // it uses internal members
        AssertAssembly(packages["Transfer.S3.Server"]["lib/net10.0/Transfer.S3.Server.dll"], symbols["Transfer.S3.Server"], isNative: false);
        AssertAssembly(packages["Transfer.S3.Aspire"]["lib/net10.0/Transfer.S3.Aspire.dll"], symbols["Transfer.S3.Aspire"], isNative: false);
        AssertAssembly(packages["Transfer.S3.Aspire.Hosting"]["lib/net10.0/Transfer.S3.Aspire.Hosting.dll"], symbols["Transfer.S3.Aspire.Hosting"], isNative: false);
        AssertDocumentsPublicMembers(packages["Transfer.S3"]["lib/net10.0/Transfer.S3.xml"], typeof(TransferClient).Assembly);
        AssertDocumentsPublicMembers(packages["Transfer.S3.Jobs"]["lib/net10.0/Transfer.S3.Jobs.xml"], typeof(TransferJob).Assembly);
        AssertDocumentsPublicMembers(packages["Transfer.S3.TransferUtility"]["lib/net10.0/Transfer.S3.TransferUtility.xml"], typeof(TransferUtilityAdapter).Assembly);
        AssertDocumentsPublicMembers(packages["Transfer.S3.Server"]["lib/net10.0/Transfer.S3.Server.xml"], typeof(EmbeddedS3Server).Assembly);
        AssertTool(packages["Transfer.S3.Tool.any"], "tools/net10.0/any/", isNative: false);
        Dictionary<string, byte[]> tool = packages[$"Transfer.S3.Tool.{Dotnet.Platform}"];
        if (ToolFile.NativePath is null)
        {
            AssertTool(tool, $"tools/net10.0/{Dotnet.Platform}/", isNative: true);
        }
        else
        {
            AssertNativeTool(tool, $"tools/any/{Dotnet.Platform}/");
        }
    }

    /// <summary>As on a platform that can't be compiled here.</summary>
    [LongFact]
    public async Task Pack_WithoutNativeCompiler_PackageOfTheToolHasReadyToRunCode()
        => AssertTool(Read(Path.Combine(await feed.AssemblyPackagesAsync(), $"Transfer.S3.Tool.{Dotnet.Platform}.{PackageFeed.Version}.nupkg")), $"tools/net10.0/{Dotnet.Platform}/", isNative: true);

    [LongFact]
    public async Task Pack_InAnotherDirectory_GivesTheSameFiles()
    {
        string again = await feed.AssemblyPackagesAsync();
        string nativeTool = ToolFile.NativePath is null ? "" : $"Transfer.S3.Tool.{Dotnet.Platform}.{PackageFeed.Version}.nupkg";

        int compared = 0;
        foreach (string path in Directory.GetFiles(await feed.PackagesAsync(), "*.nupkg").Where(path => Path.GetFileName(path) != nativeTool))
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

    /// <summary>With the tool as assemblies with ReadyToRun code instead of as a native file.</summary>
    [LongFact]
    public async Task Publish_ReadyToRun_AssembliesHaveNativeCode()
    {
        string output = feed.CreateFolder("published");

        await feed.PublishToolAsync(output, "-r", Dotnet.Platform, "--self-contained", "false", "-p:PublishReadyToRun=true");

        string[] assemblies = Directory.GetFiles(output, "*.dll");
        Assert.NotEmpty(assemblies);
        Assert.All(assemblies, static path => Assert.True(HasNativeCode(File.ReadAllBytes(path)), path));
    }

    [LongFact]
    public async Task Pack_Sample_CreatesNoPackageAndNoWarning()
    {
        string sample = Path.Combine(MarkdownPages.Root, "samples", "AspNetProxy");

        string output = await Dotnet.RunAsync(Dotnet.OwnEnvironment, sample, "pack", "--no-build", "-c", "Release", "-o", feed.CreateFolder("sample"));

        Assert.DoesNotContain("warning", output, StringComparison.OrdinalIgnoreCase);
        Assert.Empty(Directory.GetFiles(feed.CreateFolder("sample")));
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

    private static XElement Metadata(Dictionary<string, byte[]> package, string id)
        => XDocument.Parse(Encoding.UTF8.GetString(package[$"{id}.nuspec"]).TrimStart('\uFEFF')).Root!.Elements().First();

    /// <summary>Gets the versions of another package that a package accepts.</summary>
    private static string Dependency(Dictionary<string, byte[]> package, string id, string other)
        => Metadata(package, id).Descendants().Single(element => element.Name.LocalName == "dependency" && element.Attribute("id")!.Value == other).Attribute("version")!.Value;

    private static void AssertDescribed(string id, Dictionary<string, byte[]> package)
    {
        XElement metadata = Metadata(package, id);
        string? Value(string name) => metadata.Elements().SingleOrDefault(element => element.Name.LocalName == name)?.Value;

        Assert.Equal(id, Value("id"));
        Assert.Equal("MIT", Value("license"));
        Assert.Equal("README.md", Value("readme"));
        Assert.Equal("icon.png", Value("icon"));
        Assert.Contains("s3", Value("tags")!.Split(' '));
        Assert.True(package["README.md"].Length > 500, "The package has no README.");
        Assert.Equal([0x89, (byte)'P', (byte)'N', (byte)'G'], package["icon.png"][..4]);
    }

    /// <summary>Every public member has a comment, or the build would fail. So the file has all public types and all overloads of their methods, and nothing else.</summary>
    private static void AssertDocumentsPublicMembers(byte[] documentation, Assembly assembly)
    {
        using MemoryStream content = new(documentation);
        XElement[] members = [.. XDocument.Load(content).Root!.Element("members")!.Elements()];
        string[] ids = [.. members.Select(member => member.Attribute("name")!.Value)];

        Assert.All(members, member => Assert.True(member.HasElements, $"{member} is empty."));
        Assert.Equal(assembly.GetExportedTypes().Select(Name).Order(StringComparer.Ordinal), ids.Where(id => id[0] == 'T').Select(id => id[2..]).Order(StringComparer.Ordinal));
        foreach (Type type in assembly.GetExportedTypes().Where(type => !type.IsSubclassOf(typeof(Delegate))))
        {
            MemberInfo[] visible = [.. type.GetMembers(BindingFlags.DeclaredOnly | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static).Where(IsVisible)];
            string[] documented = [.. ids.Where(id => id[0] != 'T' && DeclaringType(id) == Name(type)).Select(MemberName)];
            Assert.All(documented.CountBy(name => name), name => Assert.True(name.Value <= visible.Count(member => member.Name == name.Key), $"{type}.{name.Key} is documented {name.Value} times."));
            Assert.All(
                visible.OfType<MethodInfo>().Where(IsDocumented).CountBy(method => method.Name),
                name => Assert.True(name.Value <= documented.Count(documentedName => documentedName == name.Key), $"Not every overload of {type}.{name.Key} is documented."));
            Assert.All(visible.OfType<PropertyInfo>().Where(property => IsDocumented(property.GetAccessors(nonPublic: true)[0])), property => Assert.Contains(property.Name, documented));
        }
    }

    private static string Name(Type type) => type.FullName!.Replace('+', '.');

    private static string DeclaringType(string id) => id[2..].Split('(')[0] is var name && name.LastIndexOf('.') is > 0 and int end ? name[..end] : "";

    private static string MemberName(string id) => id[2..].Split('(')[0].Split('.')[^1].Split('`')[0].Replace('#', '.');

    /// <summary>Neither a property's accessor nor from the compiler. An override may inherit the comment.</summary>
    private static bool IsDocumented(MethodInfo method) => method.GetBaseDefinition() == method && !method.IsDefined(typeof(CompilerGeneratedAttribute)) && (!method.IsSpecialName || method.Name.StartsWith("op_", StringComparison.Ordinal));

    private static bool IsVisible(MemberInfo member) => member switch
    {
        MethodBase method => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly,
        FieldInfo field => field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly,
        PropertyInfo property => property.GetAccessors(nonPublic: true).Any(IsVisible),
        EventInfo declared => IsVisible(declared.AddMethod!),
        _ => false,
    };

    private static void AssertTool(Dictionary<string, byte[]> package, string folder, bool isNative)
    {
        Assert.All(
            (string[])["transfer", "Transfer.S3", "Transfer.S3.Bench", "Transfer.S3.Jobs", "Transfer.S3.Server"],
            name => AssertAssembly(package[$"{folder}{name}.dll"], package.GetValueOrDefault($"{folder}{name}.pdb"), isNative));

        string notices = Encoding.UTF8.GetString(package["THIRD-PARTY-NOTICES.txt"]);
        Assert.All(
            package.Keys.Where(name => name.EndsWith(".dll", StringComparison.Ordinal)).Select(Path.GetFileNameWithoutExtension).Where(name => name?.StartsWith("transfer", StringComparison.OrdinalIgnoreCase) == false),
            name => Assert.Contains(name!, notices, StringComparison.Ordinal));
    }

    /// <summary>One file, without the symbols for a debugger, which are twice as large.</summary>
    private static void AssertNativeTool(Dictionary<string, byte[]> package, string folder)
    {
        string[] files = [.. package.Keys.Where(name => name.StartsWith("tools/", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

        Assert.Equal([$"{folder}DotnetToolSettings.xml", $"{folder}{Path.GetFileName(ToolFile.NativePath)}"], files);
        Assert.True(File.ReadAllBytes(ToolFile.NativePath!).AsSpan().SequenceEqual(package[files[1]]), "The package has another file than the publish.");
        Assert.Contains("THIRD-PARTY-NOTICES.txt", package.Keys);
    }

    /// <summary>Symbols are in a file of their own or inside, and name sources as the repository does instead of where they were built.</summary>
    private static void AssertAssembly(byte[] assembly, byte[]? symbols, bool isNative)
    {
        using MemoryStream content = new(assembly);
        using PEReader reader = new(content);
        Assert.Equal(isNative, HasNativeCode(assembly));
        using MetadataReaderProvider provider = symbols is null
            ? reader.ReadEmbeddedPortablePdbDebugDirectoryData(Assert.Single(reader.ReadDebugDirectory(), entry => entry.Type == DebugDirectoryEntryType.EmbeddedPortablePdb))
            : MetadataReaderProvider.FromPortablePdbImage([.. symbols]);
        MetadataReader metadata = provider.GetMetadataReader();

        CodeViewDebugDirectoryData codeView = reader.ReadCodeViewDebugDirectoryData(reader.ReadDebugDirectory().First(entry => entry.Type == DebugDirectoryEntryType.CodeView));
        Assert.Equal(codeView.Guid.ToByteArray(), metadata.DebugMetadataHeader!.Id[..16]);
        string[] documents = [.. metadata.Documents.Select(document => metadata.GetString(metadata.GetDocument(document).Name))];
        Assert.Contains(documents, document => document.StartsWith("/_", StringComparison.Ordinal));
        Assert.DoesNotContain(documents, document => Path.IsPathRooted(document) && !document.StartsWith("/_", StringComparison.Ordinal));
    }

    private static bool HasNativeCode(byte[] assembly)
    {
        using PEReader reader = new(new MemoryStream(assembly));
        return reader.PEHeaders.CorHeader!.ManagedNativeHeaderDirectory.Size > 0;
    }
}
