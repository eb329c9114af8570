using System.Runtime.InteropServices;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Makes system calls of one thread fail (seccomp, Linux), as in file systems and sandboxes that don't support or permit them.</summary>
internal static class SystemCallFilter
{
    public const int NotPermitted = 1; // EPERM
    public const int NoLocks = 37; // ENOLCK
    public const int NotImplemented = 38; // ENOSYS
    public const int NotSupported = 95; // EOPNOTSUPP

    private const int SetNoNewPrivileges = 38;
    private const int SetSeccomp = 22;
    private const int FilterMode = 2;
    private const uint ReturnError = 0x0005_0000;
    private const uint ReturnAllow = 0x7FFF_0000;

    private static readonly Dictionary<string, (uint X64, uint Arm64)> Numbers = new() { ["linkat"] = (265, 37), ["flock"] = (73, 32), ["statx"] = (332, 291) };

    /// <summary>Runs an action on a dedicated thread on which a system call fails.</summary>
    /// <returns><c>false</c> if the machine doesn't support such filters and the action did not run; otherwise, <c>true</c>.</returns>
    public static bool TryRun(string systemCall, int error, Action action)
    {
        if (!OperatingSystem.IsLinux() || RuntimeInformation.ProcessArchitecture is not (Architecture.X64 or Architecture.Arm64))
        {
            return false;
        }

        (uint x64, uint arm64) = Numbers[systemCall];
        bool isOn = false;
        Exception? failure = null;
        Thread thread = new(() =>
        {
            isOn = TryInstall(RuntimeInformation.ProcessArchitecture == Architecture.X64 ? x64 : arm64, error);
            if (isOn)
            {
                failure = Record.Exception(action);
            }
        });
        thread.Start();
        Assert.True(thread.Join(Deadline.Longest));
        return failure is null ? isOn : throw new InvalidOperationException($"Without {systemCall}: {failure.Message}", failure);
    }

    private static bool TryInstall(uint number, int error)
    {
        Instruction[] program =
        [
            new(0x20, 0, 0, 0), // load the number of the call
            new(0x15, 0, 1, number), // skip the next instruction if the numbers differ
            new(0x06, 0, 0, ReturnError | (uint)error),
            new(0x06, 0, 0, ReturnAllow),
        ];
        GCHandle instructions = GCHandle.Alloc(program, GCHandleType.Pinned);
        try
        {
            FilterProgram filter = new((ushort)program.Length, instructions.AddrOfPinnedObject());
            return Control(SetNoNewPrivileges, 1, 0, 0, 0) == 0 && Control(SetSeccomp, FilterMode, ref filter) == 0;
        }
        finally
        {
            instructions.Free();
        }
    }

    [DllImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Control(int option, nint one, nint two, nint three, nint four);

    [DllImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Control(int option, nint mode, ref FilterProgram program);

    [StructLayout(LayoutKind.Sequential)]
    private readonly struct Instruction(ushort code, byte jumpTrue, byte jumpFalse, uint operand)
    {
        public readonly ushort Code = code;
        public readonly byte JumpTrue = jumpTrue;
        public readonly byte JumpFalse = jumpFalse;
        public readonly uint Operand = operand;
    }

    [StructLayout(LayoutKind.Sequential)]
    private readonly struct FilterProgram(ushort length, nint instructions)
    {
        public readonly ushort Length = length;
        public readonly nint Instructions = instructions;
    }
}
