using System.Text;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

public sealed class KeyOrderTests
{
    // One and two UTF-16 code units, one to four bytes in UTF-8. D7FF and E000 are next to the surrogates.
    private static readonly string[] Pieces = ["", "!", "-", "/", "a", "b", "é", "\uD7FF", "\uE000", "\uFF21", "\uFFFD", "\U00010000", "\U0001F600", "\U0001F601", "\U0010FFFF"];

    [Fact]
    public void Compare_IsTheOrderOfUtf8Bytes()
    {
        string[] names = [.. from x in Pieces from y in Pieces from z in Pieces select x + y + z];
        string[] sample = [.. names.Where((_, i) => i % 7 == 0)];
        foreach (string x in sample)
        {
            foreach (string y in sample)
            {
                int expected = Encoding.UTF8.GetBytes(x).AsSpan().SequenceCompareTo(Encoding.UTF8.GetBytes(y));
                Assert.Equal(Math.Sign(expected), Math.Sign(KeyOrder.Instance.Compare(x, y)));
            }
        }
    }
}
