using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;
using Transfer.Tests.Documentation;

namespace Transfer.Tests;

/// <summary>
/// Checks that folders reference each other in one direction only. The references are read from the assembly, including method bodies.
/// Each type may reference only types of its own folder and of folders below it. Public types, which are all in one namespace, belong to the folder of their source.
/// </summary>
public sealed partial class ArchitectureTests
{
    private const string Shared = "shared";
    private const string Entry = "client";

    /// <summary>The types that use all folders: what a program begins with.</summary>
    private static readonly string[] EntryTypes = ["TransferClient", "ITransferClient", "TransferServiceCollectionExtensions"];

    private static readonly Dictionary<string, string[]> Below = new()
    {
        // What all folders share: results, errors, sizes. The errors of requests become errors of transfers there.
        [Shared] = ["Integrity", "Wire"],
        ["Buffers"] = [],
        ["Integrity"] = [],
        ["Files"] = [],
        ["Stores"] = ["Files"],
        ["Wire"] = ["Buffers", "Integrity", "Stores"],
        ["Observability"] = ["Buffers", "Integrity", "Wire", "Concurrency"],
        ["Concurrency"] = ["Buffers"],
        ["Scheduling"] = ["Buffers", "Files", "Integrity", "Wire", "Stores", "Observability", "Concurrency"],
        ["Resume"] = ["Files", "Integrity", "Wire"],
        ["Download"] = ["Concurrency", "Buffers", "Files", "Integrity", "Wire", "Stores", "Observability", "Scheduling", "Resume"],
        ["Configuration"] = ["Concurrency", "Scheduling"],
        ["Copy"] = ["Concurrency", "Buffers", "Integrity", "Wire", "Stores", "Observability", "Scheduling", "Download", "Upload"],
        ["Delete"] = ["Concurrency", "Wire", "Observability", "Scheduling", "Upload"],
        ["Move"] = ["Concurrency", "Files", "Wire", "Observability", "Scheduling", "Download", "Upload", "Copy", "Delete"],
        ["Directories"] = ["Concurrency", "Buffers", "Files", "Integrity", "Wire", "Stores", "Observability", "Scheduling", "Download", "Upload", "Verify", "Copy", "Delete", "Move"],
        ["Upload"] = ["Concurrency", "Buffers", "Files", "Integrity", "Wire", "Stores", "Observability", "Scheduling", "Resume"],
        ["Probing"] = ["Concurrency", "Buffers", "Integrity", "Wire", "Stores", "Observability", "Scheduling", "Upload"],
        ["Verify"] = ["Concurrency", "Buffers", "Files", "Integrity", "Wire", "Observability", "Scheduling", "Download"],
        ["Seekable"] = ["Concurrency", "Buffers", "Integrity", "Wire", "Stores", "Observability", "Scheduling", "Download"],
        ["Sync"] = ["Concurrency", "Files", "Integrity", "Wire", "Stores", "Observability", "Scheduling", "Resume", "Download", "Upload", "Copy", "Verify", "Delete", "Move", "Directories"],
        ["Jobs"] = [Entry, "Concurrency", "Files", "Integrity", "Wire", "Stores", "Observability", "Scheduling", "Download", "Upload", "Copy", "Delete", "Directories", "Sync"],
        ["Compatibility"] = [Entry, "Concurrency", "Files", "Integrity", "Wire", "Observability", "Scheduling", "Download", "Upload", "Directories"],
    };

    private static readonly Dictionary<string, string> Folders = FindFolders();

    [Fact]
    public void References_AreInOneDirection()
    {
        List<string> wrong = [];
        int seen = 0;
        foreach ((string from, string to) in References(typeof(TransferClient).Assembly.Location))
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
        if (parts.Length > 2)
        {
            return parts[0] == "Transfer" ? parts[1] : string.Empty;
        }

        return parts is ["Transfer", var name] && Folders.TryGetValue(name.Split('`')[0], out string? folder) ? folder : string.Empty;
    }

    /// <summary>Finds the public types, which are all in one namespace, in the source files.</summary>
    private static Dictionary<string, string> FindFolders()
    {
        string root = Path.Combine(MarkdownPages.Root, "src", "Transfer");
        Dictionary<string, string> folders = [];
        foreach (string file in Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories))
        {
            string text = File.ReadAllText(file);
            if (!text.Contains("\nnamespace Transfer;", StringComparison.Ordinal) && !text.StartsWith("namespace Transfer;", StringComparison.Ordinal))
            {
                continue;
            }

            string folder = Path.GetRelativePath(root, file).Split(Path.DirectorySeparatorChar) is [var first, _, ..] ? first : Shared;
            foreach (string name in TypeDeclaration().Matches(text).Select(static declared => declared.Groups["name"].Value))
            {
                folders[name] = EntryTypes.Contains(name) ? Entry : folder;
            }
        }

        return folders;
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
