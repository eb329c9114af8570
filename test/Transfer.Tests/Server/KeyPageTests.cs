using System.Text;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Tests.Server;

public sealed class KeyPageTests
{
    [Fact]
    public void Utf8Order_AnyText_IsTheOrderOfItsBytes()
    {
        string[] texts = ["", "a", "aa", "b", "\u00e9", "\uffee", "\ue000", "\U0001F600", "\U0001F601", "a\U0001F600", "a\ufffd", "\ud7ff"];
        foreach (string x in texts)
        {
            foreach (string y in texts)
            {
                int byBytes = Encoding.UTF8.GetBytes(x).AsSpan().SequenceCompareTo(Encoding.UTF8.GetBytes(y));
                Assert.Equal(Math.Sign(byBytes), Math.Sign(Utf8Order.Instance.Compare(x, y)));
            }
        }
    }

    [Fact]
    public void Take_Delimiter_GroupsAfterThePrefix()
    {
        SortedKeys keys = Keys("a", "a/1", "a/2", "a/b/3", "b/4", "c");

        Assert.Equal(["a", "a/|", "b/|", "c"], Texts(KeyPage.Take(keys, "", "/", null, null, 1000)));
        Assert.Equal(["a/1", "a/2", "a/b/|"], Texts(KeyPage.Take(keys, "a/", "/", null, null, 1000)));
        Assert.Empty(Texts(KeyPage.Take(keys, "d", "/", null, null, 1000)));
    }

    [Fact]
    public void Take_After_StartsAfterIt()
    {
        SortedKeys keys = Keys("a", "a/1", "a/2", "b");

        Assert.Equal(["a/2", "b"], Texts(KeyPage.Take(keys, "", "", "a/1", null, 1000)));
        Assert.Equal(["a/|", "b"], Texts(KeyPage.Take(keys, "", "/", "a/1", null, 1000)));
        Assert.Equal(["b"], Texts(KeyPage.Take(keys, "", "/", "a/", "a/", 1000)));
    }

    [Fact]
    public void Take_NothingMore_HasNoNext()
    {
        SortedKeys keys = Keys("a", "b");

        Assert.Null(KeyPage.Take(keys, "", "", null, null, 2).Next);
        Assert.Equal(new KeyEntry("a", IsGroup: false), KeyPage.Take(keys, "", "", null, null, 1).Next);
        Assert.Null(KeyPage.Take(keys, "", "", null, null, 0).Next);
    }

    [Theory]
    [InlineData("", "")]
    [InlineData("", "/")]
    [InlineData("a", "/")]
    [InlineData("a/", "b")]
    public void Take_AllPages_AreTheWholeListing(string prefix, string delimiter)
    {
        var random = new Random(20240607);
        SortedKeys keys = Keys([.. Enumerable.Range(0, 300).Select(_ => RandomKey(random))]);
        string[] whole = Texts(KeyPage.Take(keys, prefix, delimiter, null, null, int.MaxValue));

        for (int size = 1; size <= 7; size++)
        {
            var paged = new List<string>();
            KeyEntry? next = null;
            do
            {
                KeyPage page = KeyPage.Take(keys, prefix, delimiter, next?.Text, next is { IsGroup: true } ? next.Value.Text : null, size);
                Assert.InRange(page.Entries.Count, 0, size);
                paged.AddRange(Texts(page));
                next = page.Next;
            }
            while (next is not null);

            Assert.Equal(whole, paged);
        }
    }

    private static string RandomKey(Random random) =>
        new([.. Enumerable.Range(0, random.Next(1, 7)).Select(_ => "aab//c\u00e9"[random.Next(7)])]);

    private static SortedKeys Keys(params string[] keys)
    {
        var sorted = new SortedKeys();
        foreach (string key in keys)
        {
            sorted.Add(key);
        }

        return sorted;
    }

    private static string[] Texts(KeyPage page) => [.. page.Entries.Select(static entry => entry.IsGroup ? entry.Text + "|" : entry.Text)];
}
