/* A stand-in for Windows' bcryptprimitives.dll, for tests under Wine 8 only.
 *
 * Rust's standard library imports ProcessPrng from that DLL, and Wine has it only since version 9.
 * To run the engine under an older Wine, put this DLL beside trebuchet.exe. Windows has its own:
 * never ship this one.
 *
 *     x86_64-w64-mingw32-gcc -shared -nostdlib -e DllMain -o bcryptprimitives.dll bcryptprimitives.c -ladvapi32
 */
#include <windows.h>

/* RtlGenRandom, under the name by which advapi32 exports it. */
BOOLEAN WINAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return SystemFunction036(data, (ULONG)length);
}

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, LPVOID reserved)
{
    (void)instance, (void)reason, (void)reserved;
    return TRUE;
}
