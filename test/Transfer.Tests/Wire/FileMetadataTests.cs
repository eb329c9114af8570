using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>Permissions and owners in the metadata of objects, which anyone can have written.</summary>
public sealed class FileMetadataTests
{
    [Theory]
    [InlineData("100644", 420)]
    [InlineData("0100755", 493)]
    [InlineData("644", 420)]
    [InlineData("0", 0)]
    [InlineData("104755", 493)] // without set-user-ID
    [InlineData("7777", 511)] // without any of the three bits
    [InlineData("107777", 511)]
    [InlineData("40755", null)] // a folder
    [InlineData("120777", null)] // a link
    [InlineData("300644", null)] // more than 16 bits
    [InlineData("100844", null)]
    [InlineData("-644", null)]
    [InlineData("00100644", null)]
    [InlineData("rw-r--r--", null)]
    [InlineData("", null)]
    [InlineData(null, null)]
    public void ModeOf_ReturnsOnlyPermissionsOfFiles(string? text, int? expected)
        => Assert.Equal((UnixFileMode?)expected, FileMetadata.GetMode(GetInfo(("mode", text))));

    [Theory]
    [InlineData("0", "0", true)]
    [InlineData("1000", "4294967294", true)]
    [InlineData("1000", null, false)]
    [InlineData(null, "1000", false)]
    [InlineData("4294967295", "1", false)] // "unchanged" for the system
    [InlineData("-1", "1", false)]
    [InlineData("+1", "1", false)]
    [InlineData("4294967296", "1", false)]
    [InlineData("root", "root", false)]
    public void OwnerOf_ReturnsOnlyTwoIds(string? user, string? group, bool isOwner)
    {
        (uint User, uint Group)? owner = FileMetadata.GetOwner(GetInfo(("uid", user), ("gid", group)));

        Assert.Equal(isOwner ? (uint.Parse(user!), uint.Parse(group!)) : null, owner);
    }

    [Fact]
    public void Add_FormatIsThatOfRclone()
    {
        Dictionary<string, string> metadata = [];

        FileMetadata.AddMode(metadata, 0x81ED);
        FileMetadata.AddOwner(metadata, 1000, 0);
        FileMetadata.AddMode(metadata, 0x8000); // what is there stays

        Assert.Equal(new Dictionary<string, string> { ["mode"] = "100755", ["uid"] = "1000", ["gid"] = "0" }, metadata);
    }

    private static ObjectInfo GetInfo(params (string Name, string? Value)[] metadata)
        => new() { Length = 1, Metadata = metadata.Where(item => item.Value is not null).ToDictionary(item => item.Name, item => item.Value!) };
}
