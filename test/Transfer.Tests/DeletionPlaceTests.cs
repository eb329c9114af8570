using System.Text.RegularExpressions;

namespace Transfer.S3.Tests;

/// <summary>
/// Only two places of the library delete what others have created: each gets the state on which the deletion was decided. All other places delete files and objects that
/// the library has created itself and recognizes by a name of its own or by an open handle.
/// </summary>
public sealed partial class DeletionPlaceTests
{
    private static readonly string Library = Path.Combine(MarkdownPages.Root, "src", "Transfer");

    /// <summary>The files that send deletions of objects: the deleter, probes of their own objects, and the wires.</summary>
    private static readonly string[] OfObjects =
    [
        "Delete/ObjectDeleter.cs", "Probing/DeleteProbes.cs", "Probing/ProbeArea.cs", "Requests/ObservedWire.cs", "Wire/Http/HttpWire.Delete.cs", "Wire/IObjectWire.cs",
        "Wire/Sdk/SdkWire.Delete.cs",
    ];

    /// <summary>The files that delete files and directories: the deleter, empty directories of a synchronization, and what has a name that only the library creates.</summary>
    private static readonly string[] OfFiles =
    [
        "../Transfer.Jobs/Files/DiskJobFolder.cs", "Delete/FileDeleter.cs", "Files/AtomicFile.cs", "Files/HiddenFileName.cs", "Files/TemporaryFile.cs", "Resume/Journal.cs", "Trees/Sides/FileRemover.cs",
    ];

    [Fact]
    public void Objects_AreDeletedInOnePlace() => Assert.Equal(OfObjects, Find(ObjectDeletion()));

    [Fact]
    public void Files_AreDeletedInOnePlace() => Assert.Equal(OfFiles, Find(FileDeletion()));

    /// <summary>Sends a deletion of an object only where the whole library does, so that nothing else decides on it.</summary>
    [Fact]
    public void DeletersAreCreated_ByThoseThatDecide() => Assert.Equal(
        ["Delete/SourceRemoval.cs", "TransferClient.Delete.cs", "Trees/Sides/ObjectRemover.cs", "Trees/TreeDelete.cs"],
        Find(Deleter()));

    private static IEnumerable<string> Find(Regex call) => Directory.EnumerateFiles(Library, "*.cs", SearchOption.AllDirectories)
        .Concat(Directory.EnumerateFiles(Library + ".Jobs", "*.cs", SearchOption.AllDirectories))
        .Where(file => File.ReadLines(file).Any(line => !line.TrimStart().StartsWith("//", StringComparison.Ordinal) && call.IsMatch(line)))
        .Select(file => Path.GetRelativePath(Library, file).Replace('\\', '/'))
        .Order(StringComparer.Ordinal);

    [GeneratedRegex(@"\bDeleteObjects?Async\(|\.DeleteObjects?Async\b", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex ObjectDeletion();

    [GeneratedRegex(@"\b(File|Directory)\.Delete\(|\bLibc\.Unlink\(", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex FileDeletion();

    [GeneratedRegex(@"\bnew ObjectDeleter\(|ObjectDeleter \w+ = new\(", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Deleter();
}
