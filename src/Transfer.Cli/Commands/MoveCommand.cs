using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer mv</c>: copies objects as <c>transfer cp</c> does, and deletes their sources.</summary>
internal sealed class MoveCommand : CopyCommand
{
    public MoveCommand(CommandRunner runner)
        : base(
            runner, moves: true, "mv", summary: "Move files and objects",
            description: "Move files and objects: copy them as cp does and, when each copy is verified, delete its source. A source that has changed in the meantime is kept. Folders stay.")
    {
        Examples =
        [
            ("transfer mv big.iso s3://bucket/iso/", "Move a file to s3://bucket/iso/big.iso"),
            ("transfer mv s3://bucket/iso/big.iso .", "Move an object to ./big.iso"),
            ("transfer mv s3://bucket/a s3://bucket/b", "Rename an object"),
            ("transfer mv -r s3://bucket/2025 s3://archive/2025", "Move all objects under a prefix"),
            ("transfer mv -r --older-than 30d logs s3://bucket/logs", "Move old files to a store"),
        ];
        Notes =
        [
            "An interrupted move can be repeated: each object ends at its target, and nothing is deleted before that.",
            "If some of many objects fail, the others are moved and the exit code is 1. Run the command again to move the rest.",
            "Exit codes: 0 success, 1 failure, 2 usage or configuration error, 3 content mismatch, 5 archived objects are being restored, 130 interrupted.",
        ];
    }
}
