using System.Collections.Immutable;
using System.Globalization;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.Tests;

/// <summary>
/// Checks that folders reference only those below them in the table of rooms in ARCHITECTURE.md. The references are read from the assemblies, including method bodies.
/// Public types, which are all in one namespace, belong to the folder of their source.
/// </summary>
public sealed partial class ArchitectureTests
{
    private const string Shared = "shared";
    private const string Entry = "client";

    private const string Page = "ARCHITECTURE.md";

    /// <summary>The projects that use internal types of the library. Each of them is one room.</summary>
    private static readonly string[] Friends = ["Jobs", "TransferUtility"];

    /// <summary>The rooms that the exception of the page names.</summary>
    private static readonly string[] UsedByShared = ["Integrity", "Wire"];

    /// <summary>The types that use all folders: what a program begins with.</summary>
    private static readonly string[] EntryTypes = ["TransferClient", "ITransferClient", "TransferClientExtensions", "TransferServiceCollectionExtensions"];

    /// <summary>The rooms from top to bottom, which are folders, and their floors.</summary>
    private static readonly List<(string Name, int Floor)> Rooms = ReadRooms();

    private static readonly string Sources = Path.Combine(MarkdownPages.Root, "src");

    private static readonly Dictionary<string, string> Folders = FindFolders();

    [Theory]
    [InlineData(typeof(TransferClient))]
    [InlineData(typeof(TransferJob))]
    [InlineData(typeof(TransferUtilityAdapter))]
    public void References_AreInOneDirection(Type type)
    {
        List<string> wrong = [];
        int seen = 0;
        foreach ((string from, string to) in References(type.Assembly.Location))
        {
            (string fromFolder, string toFolder) = (Folder(from), Folder(to));
            if (fromFolder.Length > 0 && toFolder.Length > 0 && fromFolder != toFolder && toFolder != Shared)
            {
                seen++;
                if (fromFolder == Shared ? !UsedByShared.Contains(toFolder) : PlaceOf(fromFolder) > PlaceOf(toFolder))
                {
                    wrong.Add($"{from} -> {to}");
                }
            }
        }

        Assert.True(seen > 20, "the types of the assembly were not read");
        Assert.True(wrong.Count == 0, "References in the wrong direction:" + Environment.NewLine + string.Join(Environment.NewLine, wrong.Distinct().Order()));
    }

    [Fact]
    public void Rooms_AreTheFoldersOfTheLibraryAndItsFriends()
    {
        IEnumerable<string> folders = FindFiles().Select(GetFolder).Where(folder => folder != Shared).Append(Entry).Distinct();

        Assert.Equal(folders.Order(StringComparer.Ordinal), Rooms.Select(room => room.Name).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Floors_AreInOrder() => Assert.Equal(Rooms.Select(room => room.Floor).OrderDescending(), Rooms.Select(room => room.Floor));

    /// <summary>The page says where to begin by the names of types, so each must be declared in the file that its link leads to.</summary>
    [Fact]
    public void Guide_NamesTypesAndTheirFiles()
    {
        Match[] links =
        [
            .. MarkdownPages.Prose(Page).Select(line => line.Text).SkipWhile(line => line != "## Where do I change ...?").Skip(1)
                .TakeWhile(line => !line.StartsWith("## ", StringComparison.Ordinal)).SelectMany(line => FileLink().Matches(line)),
        ];
        Assert.True(links.Length > 20, "the rows of the guide were not found");
        Assert.Empty(links.Where(link => !Declares(link.Groups["path"].Value, link.Groups["name"].Value)).Select(link => link.Value));

        static bool Declares(string path, string name)
        {
            string file = Path.Combine(MarkdownPages.Root, path);
            return File.Exists(file) && TypeDeclaration().Matches(File.ReadAllText(file)).Any(declared => declared.Groups["name"].Value == name.Split('.')[0]);
        }
    }

    /// <summary>Event IDs must be unique, so that log messages can be filtered by ID.</summary>
    [Fact]
    public void LogMessages_HaveUniqueIds()
    {
        LoggerMessageAttribute[] messages =
        [
            .. typeof(TransferClient).Assembly.GetTypes().Where(type => type.Name == "Log")
                .SelectMany(type => type.GetMethods(BindingFlags.Static | BindingFlags.NonPublic).Select(method => method.GetCustomAttribute<LoggerMessageAttribute>()).OfType<LoggerMessageAttribute>()),
        ];

        Assert.True(messages.Length > 10, "the log messages were not found");
        Assert.Empty(messages.GroupBy(message => message.EventId).Where(group => group.Count() > 1).Select(group => string.Join(", ", group.Select(message => message.EventName))));
        Assert.Empty(messages.GroupBy(message => message.EventName).Where(group => group.Count() > 1).Select(group => group.Key));
    }

    private static string Folder(string type)
    {
        string[] parts = type.Split('.');
        if (parts.Length > 3)
        {
            return parts is ["Transfer", "S3", ..] ? parts[2] : string.Empty;
        }

        return parts is ["Transfer", "S3", var name] && Folders.TryGetValue(name.Split('`')[0], out string? folder) ? folder : string.Empty;
    }

    /// <summary>Finds the public types, which are all in one namespace, in the source files.</summary>
    private static Dictionary<string, string> FindFolders()
    {
        Dictionary<string, string> folders = [];
        foreach (string file in FindFiles())
        {
            string text = File.ReadAllText(file);
            if (!text.Contains("\nnamespace Transfer.S3;", StringComparison.Ordinal) && !text.StartsWith("namespace Transfer.S3;", StringComparison.Ordinal))
            {
                continue;
            }

            string folder = GetFolder(file);
            foreach (string name in TypeDeclaration().Matches(text).Select(static declared => declared.Groups["name"].Value))
            {
                folders[name] = EntryTypes.Contains(name) ? Entry : folder;
            }
        }

        return folders;
    }

    private static IEnumerable<string> FindFiles()
        => Friends.Select(friend => $"Transfer.{friend}").Prepend("Transfer").SelectMany(project => Directory.EnumerateFiles(Path.Combine(Sources, project), "*.cs", SearchOption.AllDirectories));

    private static string GetFolder(string file)
        => Path.GetRelativePath(Sources, file).Split(Path.DirectorySeparatorChar) switch
        {
            ["Transfer", var folder, _, ..] => folder,
            ["Transfer", ..] => Shared,
            var parts => parts[0]["Transfer.".Length..],
        };

    private static int PlaceOf(string room) => Rooms.FindIndex(other => other.Name == room);

    /// <summary>Reads the table of rooms: the floor in the first column, and the name in the second one.</summary>
    private static List<(string Name, int Floor)> ReadRooms()
        => [.. MarkdownPages.Prose(Page).Select(line => line.Text).SkipWhile(line => line != "## Rooms").Skip(1)
            .TakeWhile(line => !line.StartsWith("## ", StringComparison.Ordinal))
            .Select(line => line.Split('|')).Where(cells => cells.Length == 6 && cells[2].Contains('`', StringComparison.Ordinal))
            .Select(cells => (MarkdownPages.Spans(cells[2]).Single(), int.Parse(cells[1], CultureInfo.InvariantCulture)))];

    [GeneratedRegex(@"^(?:public|internal)(?: static| sealed| abstract| readonly| partial)* (?:class|record struct|record|struct|interface|enum) (?<name>\w+)", RegexOptions.Multiline | RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex TypeDeclaration();

    [GeneratedRegex(@"\[(?<name>[\w.]+)\]\((?<path>src/[^)]+\.cs)\)", RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex FileLink();

    private static IEnumerable<(string From, string To)> References(string path)
    {
        using PEReader pe = new(File.OpenRead(path));
        MetadataReader reader = pe.GetMetadataReader();
        TypeNames names = new(reader);
        foreach (TypeDefinitionHandle handle in reader.TypeDefinitions)
        {
            TypeDefinition type = reader.GetTypeDefinition(handle);
            string from = names.Of(handle);
            HashSet<string> to = [];
            foreach (FieldDefinitionHandle field in type.GetFields())
            {
                to.UnionWith(reader.GetFieldDefinition(field).DecodeSignature(names, null));
            }

            foreach (MethodDefinitionHandle methodHandle in type.GetMethods())
            {
                MethodDefinition method = reader.GetMethodDefinition(methodHandle);
                MethodSignature<ImmutableHashSet<string>> signature = method.DecodeSignature(names, null);
                to.UnionWith(signature.ReturnType);
                to.UnionWith(signature.ParameterTypes.SelectMany(parameter => parameter));
                if (method.RelativeVirtualAddress != 0)
                {
                    to.UnionWith(names.InBody(pe.GetMethodBody(method.RelativeVirtualAddress)));
                }
            }

            foreach (string name in to)
            {
                yield return (from, name);
            }
        }
    }
}
