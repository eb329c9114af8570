using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Tests.Bench;

public sealed class PrintableTests
{
    [Theory]
    [InlineData("plain ä 日本", "plain ä 日本")]
    [InlineData("a\nb\tc\r", "a\\nb\\tc\\r")]
    [InlineData("\u001b[31mred", "\\u001b[31mred")]
    [InlineData("a\u202eb", "a\\u202eb")]
    public void Text_ControlCharacters_AreEscaped(string text, string expected) => Assert.Equal(expected, Printable.Text(text));

    [Fact]
    public void Line_AnyText_IsOneLineWithoutControls()
        => Prop.ForAll(ArbMap.Default.ArbFor<NonNull<string>>(), text => !Printable.Line(text.Get).Any(char.IsControl)).QuickCheckThrowOnFailure();
}
