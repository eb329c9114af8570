using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Trees;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Sync;

/// <summary>The sort of entries in temporary files.</summary>
public sealed class EntrySortTests : TransferTest
{
    /// <summary>The files of 5,000 entries are merged on several levels.</summary>
    [Theory]
    [InlineData(0, 1000)]
    [InlineData(1, 1000)]
    [InlineData(100, 1_000_000)]
    [InlineData(5000, 600)]
    [InlineData(5000, 100_000)]
    public void Read_ReturnsAllEntriesInTheOrderOfTheirBytes(int count, long maxBytes)
    {
        Random random = new(count);
        TreeEntry[] entries = [.. Enumerable.Range(0, count).Select(i => NewEntry(random, i))];
        using EntrySort sort = new(Folder.Path, maxBytes);
        Array.ForEach(entries, sort.Add);

        TreeEntry[] read = [.. sort.Read()];

        Assert.Equal(entries.Select(entry => entry.Name).Order(KeyOrder.Instance), read.Select(entry => entry.Name));
        Assert.Equal(entries.OrderBy(entry => entry.Length), read.OrderBy(entry => entry.Length)); // nothing of them is lost
    }

    private static TreeEntry NewEntry(Random random, int number)
    {
        string[] parts = ["a", "b/", "é", "\U0001F600", "\uD800", "\uFFFD", "\n", "z"];
        return new TreeEntry(string.Concat(Enumerable.Range(0, random.Next(1, 5)).Select(_ => parts[random.Next(parts.Length)])), number)
        {
            ETag = random.Next(2) == 0 ? null : $"\"{number}\"",
            VersionId = random.Next(2) == 0 ? null : $"v{number}",
        };
    }
}
