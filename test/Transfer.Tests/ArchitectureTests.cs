using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.Tests;

/// <summary>
/// Checks that folders reference only those that the table of rooms in ARCHITECTURE.md allows. The references are read from the assemblies, including method bodies.
/// Public types, which are all in one namespace, belong to the folder of their source.
/// </summary>
public sealed partial class ArchitectureTests
{
    private const string Shared = "shared";
    private const string Entry = "client";

    /// <summary>The name in the table that stands for several rooms.</summary>
    private const string Group = "base";

    /// <summary>The project that uses internal types of the library. It is one room.</summary>
    private const string Friend = "TransferUtility";

    private const string Page = "ARCHITECTURE.md";

    /// <summary>The types that use all folders: what a program begins with.</summary>
    private static readonly string[] EntryTypes = ["TransferClient", "ITransferClient", "TransferClientExtensions", "TransferServiceCollectionExtensions"];

    /// <summary>The rooms, which are folders, and which of them each may use.</summary>
    private static readonly Dictionary<string, string[]> Below = ReadRooms();

    private static readonly string Library = Path.Combine(MarkdownPages.Root, "src", "Transfer");

    private static readonly Dictionary<string, string> Folders = FindFolders();

    [Theory]
    [InlineData(typeof(TransferClient))]
    [InlineData(typeof(TransferUtilityAdapter))]
    public void References_AreInOneDirection(Type type)
    {
        List<string> wrong = [];
        int seen = 0;
        foreach ((string from, string to) in References(type.Assembly.Location))
        {
            (string fromFolder, string toFolder) = (Folder(from), Folder(to));
            if (fromFolder.Length == 0 || toFolder.Length == 0 || fromFolder == toFolder || fromFolder == Entry || toFolder == Shared)
            {
                continue;
            }

            seen++;
            if (!Below.TryGetValue(fromFolder, out string[]? below) || !below.Contains(toFolder))
            {
                wrong.Add($"{from} -> {to}");
            }
        }

        Assert.True(seen > 20, "the types of the assembly were not read");
        Assert.True(wrong.Count == 0, "References in the wrong direction:" + Environment.NewLine + string.Join(Environment.NewLine, wrong.Distinct().Order()));
    }

    [Fact]
    public void Rooms_AreTheFoldersOfTheLibraryAndItsFriend()
    {
        IEnumerable<string> folders = FindFiles().Select(GetFolder).Append(Entry).Append(Friend).Distinct();

        Assert.Equal(folders.Order(StringComparer.Ordinal), Below.Keys.Order(StringComparer.Ordinal));
    }

    /// <summary>A room that is misspelled in the table would forbid what the table allows.</summary>
    [Fact]
    public void Rooms_MayUseRooms() => Assert.Empty(Below.SelectMany(room => room.Value).Except(Below.Keys));

    /// <summary>No two rooms use each other, directly or through others, so there is an order in which each can be read and changed without those above it.</summary>
    [Fact]
    public void Rooms_HaveAnOrder()
    {
        Dictionary<string, string[]> left = Below.Where(room => room.Key is not (Entry or Shared)).ToDictionary();
        while (left.Where(room => !room.Value.Any(left.ContainsKey)).Select(room => room.Key).ToArray() is { Length: > 0 } done)
        {
            Array.ForEach(done, room => left.Remove(room));
        }

        Assert.Empty(left.Keys);
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

    private static IEnumerable<string> FindFiles() => Directory.EnumerateFiles(Library, "*.cs", SearchOption.AllDirectories);

    private static string GetFolder(string file) => Path.GetRelativePath(Library, file).Split(Path.DirectorySeparatorChar) is [var first, _, ..] ? first : Shared;

    /// <summary>Reads the table of rooms: the name in the first column, and in the third one the names of the rooms that it may use.</summary>
    private static Dictionary<string, string[]> ReadRooms()
    {
        Dictionary<string, string[]> rooms = MarkdownPages.Prose(Page).Select(line => line.Text).SkipWhile(line => line != "## Rooms").Skip(1)
            .TakeWhile(line => !line.StartsWith("## ", StringComparison.Ordinal))
            .Select(line => line.Split('|')).Where(cells => cells.Length == 6 && cells[1].Contains('`', StringComparison.Ordinal))
            .ToDictionary(cells => MarkdownPages.Spans(cells[1]).Single(), cells => MarkdownPages.Spans(cells[3]).ToArray());
        Assert.True(rooms.Remove(Group, out string[]? group), $"The table of rooms in {Page} has no row '{Group}'.");
        return rooms.ToDictionary(room => room.Key, room => room.Value.SelectMany(used => used == Group ? group : [used]).ToArray());
    }

    [GeneratedRegex(@"^(?:public|internal)(?: static| sealed| abstract| readonly| partial)* (?:class|record struct|record|struct|interface|enum) (?<name>\w+)", RegexOptions.Multiline | RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex TypeDeclaration();

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
